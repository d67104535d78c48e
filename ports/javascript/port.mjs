// The port protocol for JavaScript libraries, and JavaScript's values: what stands
// between the lines on standard input and a library's own public calls.
import { createInterface } from 'node:readline';

/** What the library, or JavaScript itself, has no value for: the case is skipped. */
export class Unable extends Error {}

export const bits53 = 'JavaScript numbers have 53 bits';
const oneNumber = 'JavaScript has one type of numbers: an integral float is an int';
export const noOrder = 'a JavaScript object puts integer keys first, in ascending order';
const textOnly = 'strings are text, and these bytes are no UTF-8';

/** The two ways to hand PHP's byte strings to a library. */
export const utf8 = {
  fromBytes(b) {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(b);
    } catch {
      throw new Unable(textOnly);
    }
  },
  toBytes(s) {
    if (!s.isWellFormed()) throw new Unable('a string with half a character has no bytes');
    return Buffer.from(s, 'utf8');
  },
};
export const binary = {
  fromBytes: (b) => b.toString('latin1'),
  toBytes: (s) => Buffer.from(s, 'latin1'),
};

export const isInt = (key) => /^(0|-?[1-9][0-9]*)$/.test(key) && BigInt.asIntN(64, BigInt(key)) === BigInt(key);
export const isIndex = (key) => /^(0|[1-9][0-9]*)$/.test(key) && Number(key) < 2 ** 32 - 1;

/** The bits of a double, as tagged values have them. */
export function bitsOf(f) {
  const bits = Buffer.alloc(8);
  bits.writeDoubleBE(f);
  return bits.toString('hex');
}
export const ofBits = (bits) => Buffer.from(bits, 'hex').readDoubleBE();

/** The JavaScript value that stands for a tagged one. */
function toNative(tagged, text) {
  switch (tagged.t) {
    case 'null': return null;
    case 'bool': return tagged.v;
    case 'int': {
      const n = Number(tagged.v);
      if (!Number.isSafeInteger(n)) throw new Unable(bits53);
      return n;
    }
    case 'float': {
      const f = ofBits(tagged.bits);
      if (Number.isInteger(f)) throw new Unable(oneNumber);
      return f;
    }
    case 'string': return text.fromBytes(Buffer.from(tagged.b64, 'base64'));
    case 'list': return tagged.v.map((v) => toNative(v, text));
    case 'array': {
      const object = {};
      const keys = tagged.v.map(([k]) => ('int' in k ? k.int : text.fromBytes(Buffer.from(k.b64, 'base64'))));
      tagged.v.forEach(([, v], i) => Object.defineProperty(object, keys[i], { value: toNative(v, text), writable: true, enumerable: true, configurable: true }));
      if (Object.keys(object).some((k, i) => k !== keys[i])) throw new Unable(noOrder);
      return object;
    }
  }
  throw new Unable(`JavaScript has no values of the kind ${tagged.t}`);
}

/** The tagged value of a JavaScript one. Facts notes what it does not tell apart. */
function toTagged(v, text, facts, depth = 0) {
  if (depth > 5000) throw new Unable('an array that contains itself is no plain data');
  if (v === null) return { t: 'null' };
  switch (typeof v) {
    case 'boolean': return { t: 'bool', v };
    case 'bigint': return { t: 'int', v: String(v) };
    case 'number': {
      if (Number.isInteger(v)) facts.integral = true;
      if (Number.isInteger(v) && !Number.isSafeInteger(v)) throw new Unable(bits53);
      if (Number.isInteger(v)) return { t: 'int', v: String(v) };
      return { t: 'float', bits: bitsOf(v) };
    }
    case 'string': return { t: 'string', b64: text.toBytes(v).toString('base64') };
    case 'object': break;
    default: return { t: typeof v }; // accepted, and no value of PHP: judged so
  }
  if (Array.isArray(v)) return { t: 'list', v: Array.from(v, (e) => toTagged(e, text, facts, depth + 1)) };
  if (Object.getPrototypeOf(v) !== Object.prototype) throw new Unable('an object is no plain data');
  const keys = Object.keys(v);
  if (keys.length > 1 && keys.some(isIndex)) throw new Unable(noOrder);
  return { t: 'array', v: keys.map((k) => [isInt(k) ? { int: k } : { b64: text.toBytes(k).toString('base64') }, toTagged(v[k], text, facts, depth + 1)]) };
}

/** JavaScript's own values, which most libraries use. */
const plain = {
  toNative,
  toTagged(v, text, payload) {
    const facts = {};
    const tagged = toTagged(v, text, facts);
    if (facts.integral && /d:/.test(payload.toString('latin1'))) throw new Unable(oneNumber);
    return tagged;
  },
};

/**
 * Answers questions with a library: hello says what it is, unserialize takes a
 * Buffer; serialize returns a string; values says what stands for tagged values.
 */
export function serve({ hello, text, unserialize, serialize, values = plain }) {
  const ops = serialize ? ['decode', 'encode', 'reencode'] : ['decode'];
  const decode = (q) => {
    const payload = Buffer.from(q.b64, 'base64');
    const value = unserialize(payload);
    return { value, tagged: values.toTagged(value, text, payload) };
  };
  const write = (value) => text.toBytes(serialize(value)).toString('base64');
  const answer = (q) => {
    switch (q.op) {
      case 'hello': return { ...hello, language: 'JavaScript', ops, profile: 'php' };
      case 'decode': return { value: decode(q).tagged };
      case 'encode': return { b64: write(values.toNative(q.value, text)) };
      case 'reencode': return { b64: write(decode(q).value) };
    }
    throw new Unable(`no operation ${q.op}`);
  };
  console.log = console.warn = console.error; // what a library logs must not stand between the answers
  createInterface({ input: process.stdin }).on('line', (line) => {
    const q = JSON.parse(line);
    let a;
    try {
      a = { ok: true, ...answer(q) };
    } catch (e) {
      a = e instanceof Unable ? { skip: e.message } : { ok: false, error: String(e?.message ?? e) };
    }
    process.stdout.write(JSON.stringify({ id: q.id, ...a }) + '\n');
  });
}
