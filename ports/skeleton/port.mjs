// A port of phpwire: your codec of PHP's serialize() behind JSON Lines.
//
//     phpwire check --port 'node port.mjs'
import { createInterface } from 'node:readline';

/** What the codec does not claim: the case is skipped, with the reason. */
class Unable extends Error {}

/** Replace this: a Buffer to a tagged value. What is wrong throws. */
function decode(payload) {
  const text = payload.toString('latin1');
  if (text === 'N;') return { t: 'null' };
  if (text === 'b:0;' || text === 'b:1;') return { t: 'bool', v: text === 'b:1;' };
  throw new Unable('not written yet');
}

/** Replace this: a tagged value to a Buffer. */
function encode(value) {
  if (value.t === 'null') return Buffer.from('N;');
  if (value.t === 'bool') return Buffer.from(value.v ? 'b:1;' : 'b:0;');
  throw new Unable('not written yet');
}

function answer(q) {
  const read = () => decode(Buffer.from(q.b64, 'base64'));
  switch (q.op) {
    case 'hello': return { name: 'my-port', version: '0', language: 'JavaScript', ops: ['decode', 'encode', 'reencode'] };
    case 'decode': return { value: read() };
    case 'encode': return { b64: encode(q.value).toString('base64') };
    case 'reencode': return { b64: encode(read()).toString('base64') };
  }
  throw new Unable(`no operation ${q.op}`);
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const q = JSON.parse(line);
  let a;
  try {
    a = { ok: true, ...answer(q) };
  } catch (why) {
    a = why instanceof Unable ? { skip: why.message } : { ok: false, error: String(why.message) };
  }
  process.stdout.write(JSON.stringify({ id: q.id, ...a }) + '\n');
});
