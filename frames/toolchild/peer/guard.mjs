// The guard: which JSON values are messages. One line per type: who sends it
// (> server to child, < child to server, = either), its name, its fields. A
// field is name:kind, with ? after the name if it may be absent.
import { faulty } from "./faults.mjs";

const TABLE = `
> hello_ack          generation:num
> job                jobId:str kind:str parentJobId?:str args?:any argsRef?:ref
> cancel             jobId:str
> host_reply         callId:str value?:any valueRef?:ref error?:str
> host_call_refused  callId:str code:str
> launch_ack         launchId:str
> wake_ack           wakeId:str
> slot_query         launchId:str
> shutdown
< hello              generation:num pid:num protocol:num
< heartbeat          seq:num
< result             jobId:str value:any
< result_ref         jobId:str ref:ref
< job_error          jobId:str code:str message:str
< job_refused        jobId:str code:str
< host_call          callId:str jobId:str tool:str args?:any argsRef?:ref
< launch             launchId:str jobId:str origin:tool|terminal|user_bash|interpreter|monitor|kernel api:bun.spawn|bun.spawnSync|bun.shell|cp.spawn|cp.spawnSync|cp.execFileSync containment:own-group|inherited|job|breakaway lifetime:owned|detached pid?:num pgid?:num
< launch_proof       launchId:str ackTick:num invokeTick:num
< launch_done        launchId:str exitCode?:num signal?:str
< command_started    launchId:str pid:num startedAtMs:num creatorInJob:bool breakaway:bool
< slot_state         launchId:str ackTick:num0 invokeTick:num0 invocations:num
< wake               wakeId:str source:str bytes:num
< batch              jobId:str entries:entries done:bool
< trace              atMs:num event:str detail?:detail
= ref_ack            refId:str
= ref_nack           refId:str reason:cancelled|corrupt|missing|budget|foreign
`;

const RESERVED = ["value", "valueRef", "result", "ref", "args", "argsRef", "ackTick", "invokeTick"];

const dict = (v) => v !== null && typeof v === "object" && !(v instanceof Array);
const whole = (v) => (faulty("unsafe-integer") ? Number.isInteger(v) && Math.abs(v) <= 2 ** 53 : Number.isSafeInteger(v));
const natural = (v) => whole(v) && !(v < 0);
const finite = (v) => (faulty("infinite-number") ? typeof v === "number" : Number.isFinite(v));
const text = (v) => typeof v === "string";

export const isRef = (v) =>
  dict(v) && text(v.refId) && /^[\w-]{1,64}$/.test(v.refId) && natural(v.generation) && natural(v.bytes) &&
  text(v.sha256) && /^[\da-f]{64}$/.test(v.sha256);

const isEntry = (v) =>
  dict(v) && text(v.id) && (v.parentId === null || text(v.parentId)) && natural(v.lineOffset) && natural(v.lineBytes) &&
  whole(v.lineDelta);

function isDetail(v) {
  if (!dict(v)) return false;
  for (const key of Object.keys(v)) {
    if (RESERVED.includes(key) && !faulty("reserved-key")) return false;
    if (!["string", "number", "boolean"].includes(typeof v[key])) return false;
  }
  return true;
}

const KINDS = {
  str: text,
  num: finite,
  num0: (v) => v === null || finite(v),
  bool: (v) => v === true || v === false,
  any: () => true,
  ref: isRef,
  entries: (v) => v instanceof Array && v.every(isEntry),
  detail: isDetail,
};

const RULES = new Map();
for (const line of TABLE.trim().split("\n")) {
  const [way, name, ...fields] = line.split(/ +/);
  const rule = { way, fields: new Map() };
  for (const field of fields) {
    const [, key, mark, kind] = /^(\w+)(\??):(.+)$/.exec(field);
    const choices = kind.split("|");
    rule.fields.set(key, { must: mark === "", fits: KINDS[kind] ?? ((v) => choices.includes(v)) });
  }
  RULES.set(name, rule);
}

function rulesOf(type) {
  if (faulty("inherited-type") && type in {}) return { way: "=", fields: new Map() };
  return RULES.get(type);
}

/** Whether a value that JSON.parse returned is a message. */
export function isMessage(v) {
  if (!dict(v)) return false;
  const rule = rulesOf(v.type);
  if (rule === undefined) return false;
  for (const key of Object.keys(v)) {
    if (key === "type" || rule.fields.has(key) || faulty("unknown-field")) continue;
    return false;
  }
  for (const [key, { must, fits }] of rule.fields) {
    const there = Object.hasOwn(v, key) && !(faulty("null-is-absent") && v[key] === null && !must);
    if (there ? !fits(v[key]) : must) return false;
  }
  return true;
}

/** Who may send a message: ">" the server, "<" the child, "=" both. */
export const wayOf = (message) => rulesOf(message.type).way;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Judges bytes: a message, or the word "syntax" or "refused" for what is none. */
export function judge(bytes) {
  let value;
  try {
    value = JSON.parse(faulty("lenient-utf8") ? bytes.toString("utf8") : utf8.decode(bytes));
  } catch {
    return "syntax";
  }
  return isMessage(value) ? value : "refused";
}
