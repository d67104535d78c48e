// A tool-child peer in either role, on stdin and stdout:
//
//   node peer.mjs child|server --root DIR --generation N [--refs-budget BYTES] [--fault NAME]
//
// It shares no code with any other implementation. What it does with a job, or
// with a host call, is the test service of docs/toolchild.md.
import { Calls, Jobs, Traces, Wakes } from "./budgets.mjs";
import { FAULTS, faulty, plant } from "./faults.mjs";
import { judge } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";
import { Inbox, Outbox, pack, RefError, sweep, unpack } from "./refs.mjs";
import { frame, Unframer } from "./wire.mjs";

const PROTOCOL = 1;

class Refusal extends Error {
  constructor(code, message = code) {
    super(message);
    this.code = code;
  }
}

function options(argv) {
  const [role, ...rest] = argv;
  if (role !== "child" && role !== "server") throw new Error("the role is child or server");
  const found = { role };
  while (rest.length > 0) {
    const name = rest.shift();
    const value = rest.shift();
    if (value === undefined) throw new Error(`${name} wants a value`);
    if (name === "--root") found.root = value;
    else if (name === "--generation") found.generation = Number(value);
    else if (name === "--refs-budget") found.budget = Number(value);
    else if (name === "--fault") plant(value);
    else throw new Error(`unknown option ${name}`);
  }
  return found;
}

class Peer {
  constructor({ role, root, generation, budget }) {
    this.role = role;
    this.root = root;
    this.generation = generation;
    this.late = 0; // milliseconds by which a test has put the clock forward
    this.replies = new Map(); // what waits for a message of the other side
    this.holding = new Map(); // jobs that wait to be cancelled
    this.jobs = new Jobs();
    this.calls = new Calls();
    this.traces = new Traces();
    this.wakes = new Wakes((wake) => this.send({ type: "wake", ...wake }));
    this.launches = new Map();
    this.tick = 0;
    this.serial = 0;
    this.greeted = false;
    this.background = undefined; // what goes on with references meanwhile
    const shared = { root, generation, budget };
    this.outbox = new Outbox({ ...shared, clock: () => performance.now() + this.late });
    this.inbox = new Inbox({ ...shared, send: (control) => this.send(control) });
  }

  send(message) {
    process.stdout.write(frame(message));
  }

  start() {
    if (this.role === "child") this.send({ type: "hello", generation: this.generation, pid: process.pid, protocol: PROTOCOL });
    const unframer = new Unframer(this.role === "child" ? ">" : "<");
    const stop = (code, why) => {
      if (why) process.stderr.write(`peer: ${why}\n`);
      process.exitCode = code;
      process.stdin.destroy();
    };
    process.stdin.on("data", (chunk) => {
      try {
        for (const message of unframer.feed(chunk)) if (this.take(message) === "stop") return stop(0);
      } catch (error) {
        this.send = () => {}; // a failed channel answers nothing more
        stop(2, error.message);
      }
    });
    process.stdin.on("end", () => {
      if (!unframer.between) stop(2, "the stream ended inside a frame");
    });
  }

  take(message) {
    if (!this.greeted) {
      const greeting = this.role === "child" ? "hello_ack" : "hello";
      if (message.type !== greeting || message.generation !== this.generation) throw new Error(`no ${greeting} of generation ${this.generation}`);
      this.greeted = true;
      if (this.role === "server") this.send({ type: "hello_ack", generation: this.generation });
      return;
    }
    switch (message.type) {
      case "ref_ack":
      case "ref_nack":
        this.meanwhile(this.outbox.answer(message));
        break;
      case "shutdown":
        return "stop";
      case "job":
        this.runJob(message);
        break;
      case "cancel":
        this.holding.get(message.jobId)?.();
        break;
      case "host_call":
        if (!this.calls.submit(() => this.runCall(message)))
          this.send({ type: "host_call_refused", callId: message.callId, code: "host_call_limit" });
        break;
      case "wake":
        this.send({ type: "wake_ack", wakeId: message.wakeId });
        break;
      case "launch":
        this.send({ type: "launch_ack", launchId: message.launchId });
        break;
      case "launch_ack":
        this.replies.get(`launch ${message.launchId}`)?.();
        break;
      case "wake_ack":
        this.wakes.acknowledged(message.wakeId);
        break;
      case "slot_query":
        this.send({ type: "slot_state", launchId: message.launchId, ...(this.launches.get(message.launchId) ?? { ackTick: null, invokeTick: null, invocations: 0 }) });
        break;
      case "host_reply":
      case "host_call_refused":
        this.replies.get(`call ${message.callId}`)?.(message);
        break;
      case "result":
      case "result_ref":
      case "job_error":
      case "job_refused":
        this.replies.get(`job ${message.jobId}`)?.(message);
        break;
    }
  }

  meanwhile(work) {
    this.background = Promise.all([this.background, work]);
  }

  answered(key) {
    return new Promise((resolve) => {
      this.replies.set(key, (message) => {
        this.replies.delete(key);
        resolve(message);
      });
    });
  }

  async runJob(job) {
    const { jobId } = job;
    const leave = this.jobs.enter(job.parentJobId !== undefined);
    if (leave === undefined) return this.send({ type: "job_refused", jobId, code: "job_limit" });
    try {
      const service = this.find(job.kind);
      if (service === undefined) return this.send({ type: "job_refused", jobId, code: "unknown_kind" });
      const done = await this.serve(service, job, jobId);
      this.send(done.ref ? { type: "result_ref", jobId, ref: done.ref } : { type: "result", jobId, value: done.inline });
      if (done.ref) this.meanwhile(this.outbox.settled(done.ref.refId));
    } catch (error) {
      this.send({ type: "job_error", jobId, code: error.code ?? "failed", message: error.message });
    } finally {
      leave();
    }
  }

  async runCall(call) {
    const { callId } = call;
    try {
      const service = this.find(call.tool);
      if (service === undefined) throw new Refusal("unknown_kind");
      const done = await this.serve(service, call, callId);
      this.send({ type: "host_reply", callId, ...(done.ref ? { valueRef: done.ref } : { value: done.inline }) });
      if (done.ref) this.meanwhile(this.outbox.settled(done.ref.refId));
    } catch (error) {
      this.send({ type: "host_reply", callId, error: error.code ?? "failed" });
    }
  }

  find(name) {
    return Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  }

  async serve({ raw, run }, { args, argsRef }, id) {
    const input = argsRef !== undefined && !raw ? await unpack(argsRef, this.inbox) : args;
    const output = await run(this, input, { id, argsRef });
    return output instanceof Ready ? output : pack(output, this.outbox);
  }

  /** Sends a job or a host call of its own and returns what came of it. */
  async ask(what, request) {
    const id = `peer-${(this.serial += 1)}`;
    const answer = this.answered(`${what} ${id}`);
    const { args, ...rest } = request;
    const packed = await pack(args, this.outbox);
    const load = packed.ref ? { argsRef: packed.ref } : { args: packed.inline };
    this.send(what === "job" ? { type: "job", jobId: id, ...rest, ...load } : { type: "host_call", callId: id, ...rest, ...load });
    const reply = await answer;
    if (reply.error ?? reply.code) throw new Refusal(reply.error ?? reply.code);
    const ref = reply.ref ?? reply.valueRef;
    return ref ? unpack(ref, this.inbox) : reply.value;
  }
}

/** A reference that a service answers with, instead of a value. */
class Ready {
  constructor(ref) {
    this.ref = ref;
  }
}

function* pattern(size, seed) {
  // Byte i is i*31+seed, modulo 256: it repeats every 256 bytes.
  const chunk = Buffer.alloc(Math.min(size, 1 << 16));
  for (let i = 0; i < chunk.length; i += 1) chunk[i] = (i * 31 + seed) & 255;
  for (let left = size; left > 0; left -= chunk.length) yield left < chunk.length ? chunk.subarray(0, left) : chunk;
}

const service = (run) => ({ run, raw: false });
const onRef = (run) => ({ run, raw: true }); // its argsRef is what it works on, not its argument

const SERVICES = {
  echo: { raw: false, run: (_, args) => args },
  limits: service(() => LIMITS),
  faults: service(() => FAULTS),
  fail: service(() => {
    throw new Refusal("failed", "asked to fail");
  }),
  hold: service((peer, _, { id }) => {
    if (peer.role === "server") return peer.ask("job", { kind: "hold", args: { callId: id } });
    return new Promise((_, reject) => {
      peer.holding.set(id, () => {
        peer.holding.delete(id);
        reject(new Refusal("cancelled"));
      });
    });
  }),
  call: service((peer, { tool, args }, { id }) => peer.ask("call", { jobId: id, tool, args })),
  job: service((peer, { kind, args }) => peer.ask("job", { kind, args })),
  guard: service((_, { texts }) =>
    texts.map((text) => {
      const verdict = judge(Buffer.from(text, "base64"));
      return typeof verdict === "string" ? verdict : `message ${verdict.type}`;
    }),
  ),
  wake: service((peer, { count, bytes }) => {
    for (let i = 0; i < count; i += 1) peer.wakes.add({ wakeId: `wake-${(peer.serial += 1)}`, source: "test", bytes });
    return count;
  }),
  trace: service((peer, { count }) => {
    const before = peer.traces.dropped;
    for (let i = 0; i < count; i += 1) {
      const atMs = performance.now();
      if (peer.traces.admit(atMs)) peer.send({ type: "trace", atMs, event: "test", detail: { i } });
    }
    return { dropped: peer.traces.dropped - before };
  }),
  batch: service((peer, { entries }, { id }) => {
    peer.send({ type: "batch", jobId: id, entries, done: false });
    peer.send({ type: "batch", jobId: id, entries: [], done: true });
    return entries.length;
  }),
  launch: service(async (peer, { launchId }, { id }) => {
    const slot = { ackTick: null, invokeTick: null, invocations: 0 };
    peer.launches.set(launchId, slot);
    peer.send({ type: "launch", launchId, jobId: id, origin: "tool", api: "cp.spawn", containment: "own-group", lifetime: "owned" });
    if (!faulty("proof-before-ack")) await peer.answered(`launch ${launchId}`);
    slot.ackTick = peer.tick += 1;
    slot.invokeTick = peer.tick += 1;
    slot.invocations += 1;
    peer.send({ type: "launch_proof", launchId, ackTick: slot.ackTick, invokeTick: slot.invokeTick });
    peer.send({ type: "command_started", launchId, pid: process.pid, startedAtMs: Date.now(), creatorInJob: false, breakaway: false });
    peer.send({ type: "launch_done", launchId, exitCode: 0 });
    return slot;
  }),
  "refs.create": service(async (peer, { bytes, seed }) => new Ready(await peer.outbox.create(bytes, pattern(bytes, seed)))),
  "refs.accept": onRef(async (peer, { cancelled } = {}, { argsRef }) => (await peer.inbox.accept(argsRef, cancelled)) ?? "accepted"),
  "refs.refuse": onRef((peer, { reason }, { argsRef }) => {
    peer.inbox.refuse(argsRef, reason);
    return reason;
  }),
  "refs.consume": service((peer, { refId }) => peer.inbox.consume(refId, () => {})),
  "refs.state": service(async (peer) => {
    await peer.background;
    const { outbox, inbox } = peer;
    return { pending: outbox.pending, pendingBytes: outbox.bytes, overdue: outbox.overdue, owned: inbox.owned, ownedBytes: inbox.bytes };
  }),
  "refs.clock": service((peer, { advanceMs }) => {
    peer.late += advanceMs;
    return peer.late;
  }),
  "refs.teardown": service(async (peer) => {
    await peer.outbox.teardown();
    return true;
  }),
  "refs.sweep": service((peer, { live }) => sweep(peer.root, live)),
};

try {
  new Peer(options(process.argv.slice(2))).start();
} catch (error) {
  process.stderr.write(`peer: ${error.message}\n`);
  process.exitCode = 2;
}
