// Runs the decoding cases of phpwire's corpus on a decoder.
//
//     node corpus.mjs DATA_FOLDER
//
// Replace decode() by your port's, which takes a Buffer and returns a value, or
// throws. PROFILE is plugin, canonical or php: the behaviour that it claims.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const PROFILE = 'plugin';
const SKIP = new Set(); // flags of cases that the port does not claim, like 'unsupported', 'deep'

function* cases(folder) {
  for (const name of readdirSync(folder).filter((n) => n.endsWith('.json')).sort()) {
    yield* JSON.parse(readFileSync(join(folder, name), 'utf8')).cases;
  }
}

// A tagged value as JavaScript has it: ints as BigInt, arrays as pairs, to keep
// order and keys.
function value(tagged) {
  switch (tagged.t) {
    case 'null': return null;
    case 'bool': return tagged.v;
    case 'int': return BigInt(tagged.v);
    case 'float': return { bits: tagged.bits };
    case 'string': return Buffer.from(tagged.b64, 'base64');
    case 'list': return tagged.v.map((v, i) => [BigInt(i), value(v)]);
    case 'array': return tagged.v.map(([k, v]) => ['int' in k ? BigInt(k.int) : Buffer.from(k.b64, 'base64'), value(v)]);
    default: return tagged;
  }
}

// Returns what is wrong, or null.
function check(c, decode) {
  const wanted = c.expect[PROFILE] ?? 'may';
  let got;
  try {
    got = decode(Buffer.from(c.input.b64, 'base64'));
  } catch (why) {
    return wanted === 'must_accept' ? `refused: ${why.message}` : null;
  }
  if (wanted === 'must_reject') return 'accepted';
  const compare = wanted === 'must_accept' && c.value && !(c.flags ?? []).includes('handle');
  return compare && !isDeepStrictEqual(got, value(c.value)) ? 'read as another value' : null;
}

export function run(folder, decode) {
  let ran = 0, failed = 0;
  for (const c of cases(folder)) {
    if (c.op !== 'decode' || (c.flags ?? []).some((f) => SKIP.has(f))) continue;
    ran++;
    const wrong = check(c, decode);
    if (wrong) {
      failed++;
      console.log(`FAIL ${c.id} (clause ${c.clause}): ${c.input.text.slice(0, 80)}: ${wrong.slice(0, 200)}`);
    }
  }
  console.log(`${ran} cases, ${failed} failed`);
  return failed === 0;
}

// An example: scalars only. Arrays are refused, so their cases fail.
function decode(payload) {
  const text = payload.toString('latin1');
  if (text === 'N;') return null;
  if (text === 'b:0;' || text === 'b:1;') return text === 'b:1;';
  let m = /^i:([-+]?)(\d+);$/.exec(text);
  if (m && BigInt.asIntN(64, BigInt(m[2]) * (m[1] === '-' ? -1n : 1n)) === BigInt(m[2]) * (m[1] === '-' ? -1n : 1n)) {
    return BigInt(m[2]) * (m[1] === '-' ? -1n : 1n);
  }
  m = /^s:(\d+):"(.*)";$/s.exec(text);
  if (m && BigInt(m[1]) === BigInt(m[2].length)) return Buffer.from(m[2], 'latin1');
  m = /^d:(\d+);$/.exec(text);
  if (m) {
    const bits = Buffer.alloc(8);
    bits.writeDoubleBE(Number(m[1]));
    return { bits: bits.toString('hex') };
  }
  throw new Error('not supported');
}

if (import.meta.filename === process.argv[1] || process.argv[1]?.endsWith('corpus.mjs')) {
  process.exitCode = run(process.argv[2], decode) ? 0 : 1;
}
