import { createRequire } from 'node:module';
import { Unable, bits53, bitsOf, isIndex, isInt, noOrder, ofBits, serve, utf8 } from '../javascript/port.mjs';

const require = createRequire(import.meta.url);
const { Class, serialize, unserialize } = require('php-serialization');
const { BigDecimal } = require('bigdecimal'); // what the library has floats in

/** A value with the type that the library wants beside it. */
const typed = (value, type) => ({ value, type });

function toNative(tagged, text) {
  switch (tagged.t) {
    case 'null': return typed(null, 'null');
    case 'bool': return typed(tagged.v, 'boolean');
    case 'int':
      if (!Number.isSafeInteger(Number(tagged.v))) throw new Unable(bits53);
      return typed(Number(tagged.v), 'integer');
    case 'float': return typed(ofBits(tagged.bits), 'float');
    case 'string': return typed(text.fromBytes(Buffer.from(tagged.b64, 'base64')), 'string');
    case 'list': return array(tagged.v.map((v, i) => [{ int: String(i) }, v]), text);
    case 'array': return array(tagged.v, text);
  }
  throw new Unable(`the library has no values of the kind ${tagged.t}`);
}

function array(pairs, text) {
  const made = new Class('');
  for (const [k, v] of pairs) {
    const { value, type } = toNative(v, text);
    if ('int' in k) made.__addAttr__(k.int, 'integer', value, type);
    else made.__addAttr__(text.fromBytes(Buffer.from(k.b64, 'base64')), 'string', value, type);
  }
  const keys = pairs.map(([k]) => k.int ?? text.fromBytes(Buffer.from(k.b64, 'base64')));
  if (Object.keys(made.__attr__).some((k, i) => k !== keys[i])) throw new Unable(noOrder);
  return typed(made, 'array');
}

function toTagged(v, text, depth = 0) {
  if (depth > 5000) throw new Unable('an array that contains itself is no plain data');
  if (v === null) return { t: 'null' };
  if (v instanceof BigDecimal) return { t: 'float', bits: bitsOf(Number(v.toString())) };
  switch (typeof v) {
    case 'boolean': return { t: 'bool', v };
    case 'number':
      if (Number.isInteger(v) && !Number.isSafeInteger(v)) throw new Unable(bits53);
      return { t: Number.isInteger(v) ? 'int' : 'NaN', v: String(v) }; // NaN is accepted, and no int: judged so
    case 'string': return { t: 'string', b64: text.toBytes(v).toString('base64') };
    case 'object': break;
    default: return { t: typeof v };
  }
  if (!(v instanceof Class)) return { t: 'list', v: [] }; // its empty array
  if (v.__name__ !== '') throw new Unable('an object is no plain data');
  const keys = Object.keys(v.__attr__);
  if (keys.length > 1 && keys.some(isIndex)) throw new Unable(noOrder);
  return { t: 'array', v: keys.map((k) => [isInt(k) ? { int: k } : { b64: text.toBytes(k).toString('base64') }, toTagged(v[k], text, depth + 1)]) };
}

/** The type of what was read, for writing it again. */
function typeOf(v) {
  if (v === null) return 'null';
  if (v instanceof BigDecimal) return 'float';
  return { boolean: 'boolean', number: 'integer', string: 'string', object: 'array' }[typeof v];
}

serve({
  hello: { name: 'php-serialization', version: '0.0.4' },
  text: utf8,
  unserialize: (payload) => unserialize(utf8.fromBytes(payload)),
  serialize: (v) => (v !== null && 'type' in Object(v) && !(v instanceof Class) ? serialize(v.value, v.type) : serialize(v, typeOf(v))),
  values: {
    toNative,
    toTagged(v, text, payload) {
      if (/d:-0*\.?0*[;e]/i.test(payload.toString('latin1'))) throw new Unable('a BigDecimal has no -0');
      return toTagged(v, text);
    },
  },
});
