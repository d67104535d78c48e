// What a side may have under way at once.
import { faulty } from "./faults.mjs";
import { LIMITS } from "./limits.mjs";

/** A child's jobs. */
export class Jobs {
  #counts = { ordinary: 0, nested: 0 };

  /** Takes a place and returns how to give it back, or nothing if there is none. */
  enter(isNested) {
    const kind = isNested && !faulty("nested-counted") ? "nested" : "ordinary";
    const most =
      kind === "nested" ? LIMITS.HOST_CALL_ACTIVE + LIMITS.HOST_CALL_WAITING : LIMITS.jobs + (faulty("jobs-off-by-one") ? 1 : 0);
    if (this.#counts[kind] >= most) return undefined;
    this.#counts[kind] += 1;
    return () => {
      this.#counts[kind] -= 1;
    };
  }
}

/** A server's host calls: some run, some wait, the others are refused. */
export class Calls {
  #running = 0;
  #queue = [];

  /** Runs a task now or later; false if it is refused. */
  submit(task) {
    if (this.#running >= LIMITS.HOST_CALL_ACTIVE + (faulty("calls-off-by-one") ? 1 : 0)) {
      if (this.#queue.length >= LIMITS.HOST_CALL_WAITING) return false;
      this.#queue.push(task);
      return true;
    }
    this.#running += 1;
    this.#run(task);
    return true;
  }

  async #run(task) {
    for (let next = task; next !== undefined; next = faulty("calls-reordered") ? this.#queue.pop() : this.#queue.shift()) await next();
    this.#running -= 1;
  }
}

/** A child's wakes, by count and by size. */
export class Wakes {
  #flying = new Map();
  #bytes = 0;
  #queue = [];
  #send;

  constructor(send) {
    this.#send = send;
  }

  add(wake) {
    this.#queue.push(wake);
    this.#move();
    if (faulty("wakes-dropped")) this.#queue.length = 0;
  }

  acknowledged(wakeId) {
    this.#bytes -= this.#flying.get(wakeId) ?? 0;
    this.#flying.delete(wakeId);
    this.#move();
  }

  #move() {
    const most = LIMITS.wakePending + (faulty("wakes-off-by-one") ? 1 : 0);
    for (;;) {
      const wake = this.#queue[0];
      if (wake === undefined) return;
      const full = this.#flying.size >= most || this.#bytes + wake.bytes > LIMITS.wakePendingBytes;
      if (full && this.#flying.size > 0) return;
      this.#queue.shift();
      this.#flying.set(wake.wakeId, wake.bytes);
      this.#bytes += wake.bytes;
      this.#send(wake);
    }
  }
}

/** A child's traces: in any second at most so many; the others are counted and gone. */
export class Traces {
  #times = [];
  dropped = 0;

  admit(now) {
    while (this.#times.length > 0 && now - this.#times[0] >= 1000) this.#times.shift();
    if (this.#times.length >= LIMITS.tracePerSecond && !faulty("trace-unbounded")) {
      this.dropped += 1;
      return false;
    }
    this.#times.push(now);
    return true;
  }
}
