// Payload references: files below a root that both sides share.
import { createHash, randomBytes } from "node:crypto";
import { constants as C } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { faulty } from "./faults.mjs";
import { LIMITS } from "./limits.mjs";

const CHUNK = 1 << 16;
const folder = (root, generation, name) => join(root, `gen-${generation}`, name);
const gone = (error) => error.code === "ENOENT";
const slack = () => (faulty("budget-off-by-one") ? 1 : 0);

export class RefError extends Error {
  constructor(code, reason) {
    super(reason ? `${code}: ${reason}` : code);
    this.code = code;
    this.reason = reason;
  }
}

async function secretFolder(path) {
  await mkdir(path, { recursive: true, mode: faulty("wide-modes") ? 0o755 : 0o700 });
}

export async function teardown(root, generation) {
  await rm(join(root, `gen-${generation}`), { recursive: true, force: true });
}

export async function sweep(root, live) {
  const swept = [];
  for (const name of await readdir(root)) {
    const number = Number(/^gen-(0|[1-9]\d{0,15})$/.exec(name)?.[1]);
    if (!Number.isSafeInteger(number) || live.includes(number)) continue;
    await teardown(root, number);
    swept.push(number);
  }
  return swept.sort((a, b) => a - b);
}

/** The references that this side sends. */
export class Outbox {
  #root;
  #generation;
  #budget;
  #clock;
  #unanswered = new Map();
  bytes = 0;

  constructor({ root, generation, budget = LIMITS.refsBudget, clock }) {
    this.#root = root;
    this.#generation = generation;
    this.#budget = budget + slack();
    this.#clock = clock;
  }

  /** Writes `size` bytes that come in chunks from an iterable and returns their reference. */
  async create(size, chunks) {
    if (this.bytes + size > this.#budget) throw new RefError("ref_budget_exceeded");
    this.bytes += size;
    const refId = randomBytes(16).toString("base64url");
    const final = join(folder(this.#root, this.#generation, "refs"), refId);
    const draft = faulty("half-visible") ? final : join(folder(this.#root, this.#generation, "partial"), refId);
    try {
      await secretFolder(folder(this.#root, this.#generation, "refs"));
      await secretFolder(folder(this.#root, this.#generation, "partial"));
      const hash = createHash("sha256");
      const file = await open(draft, "wx", faulty("wide-modes") ? 0o644 : 0o600);
      try {
        for await (const chunk of chunks) {
          hash.update(chunk);
          await file.writeFile(chunk);
        }
      } finally {
        await file.close();
      }
      await rename(draft, final);
      this.#unanswered.set(refId, { size, since: this.#clock() });
      return { refId, generation: this.#generation, bytes: size, sha256: hash.digest("hex") };
    } catch (error) {
      this.bytes -= size;
      await rm(draft, { force: true });
      throw error;
    }
  }

  async answer({ type, refId }) {
    const ref = this.#unanswered.get(refId);
    if (ref === undefined) return;
    this.#unanswered.delete(refId);
    this.bytes -= ref.size;
    if (type === "ref_nack" ? !faulty("nack-keeps") : faulty("ack-deletes")) await this.#remove(refId);
  }

  /** The operation that sent a reference is over: nothing follows from that. */
  async settled(refId) {
    if (faulty("settle-deletes")) await this.#remove(refId);
  }

  async #remove(refId) {
    await rm(join(folder(this.#root, this.#generation, "refs"), refId), { force: true });
  }

  get pending() {
    return [...this.#unanswered.keys()].sort();
  }

  get overdue() {
    const now = this.#clock();
    return this.pending.filter((refId) => now - this.#unanswered.get(refId).since >= LIMITS.refAckMs);
  }

  async teardown() {
    await teardown(this.#root, this.#generation);
    this.#unanswered.clear();
    this.bytes = 0;
  }
}

/** The references that this side takes. */
export class Inbox {
  #root;
  #generation;
  #budget;
  #send;
  #mine = new Map();
  bytes = 0;

  constructor({ root, generation, budget = LIMITS.refsBudget, send }) {
    this.#root = root;
    this.#generation = generation;
    this.#budget = budget + slack();
    this.#send = send;
  }

  get owned() {
    return [...this.#mine].filter(([, entry]) => entry.checked).map(([refId]) => refId).sort();
  }

  refuse(ref, reason) {
    this.#send({ type: "ref_nack", refId: ref.refId, reason });
  }

  /** Checks a reference and answers it. Returns the reason of a refusal, or nothing. */
  async accept(ref, cancelled = false) {
    const reason = await this.#objection(ref, cancelled);
    if (reason !== undefined) {
      this.refuse(ref, reason);
      return reason;
    }
    this.#send({ type: "ref_ack", refId: ref.refId });
    if (faulty("accept-deletes")) await unlink(this.#path(ref));
  }

  async #objection(ref, cancelled) {
    if (ref.generation !== this.#generation && !faulty("foreign-taken")) return "foreign";
    const before = this.#mine.get(ref.refId);
    if (before !== undefined) return before.ref.bytes === ref.bytes && before.ref.sha256 === ref.sha256 ? before.objection : "corrupt";
    if (cancelled) return "cancelled";
    if (this.bytes + ref.bytes > this.#budget) return "budget";
    const entry = { ref, checked: false };
    this.#mine.set(ref.refId, entry);
    this.bytes += ref.bytes;
    entry.objection = this.#inspect(entry);
    return entry.objection;
  }

  /** Looks into a file; if it is not what its reference says, the entry goes and the reason is returned. */
  async #inspect(entry) {
    const { ref } = entry;
    try {
      const { bytes, sha256 } = await this.#read(ref, () => {});
      const fits = bytes === ref.bytes && (sha256 === ref.sha256 || faulty("no-hash"));
      if (!fits && !faulty("no-size")) return "corrupt";
      entry.checked = true;
    } catch (error) {
      return gone(error) ? "missing" : "corrupt";
    } finally {
      if (!entry.checked) this.#drop(ref.refId);
    }
  }

  #drop(refId) {
    this.bytes -= this.#mine.get(refId).ref.bytes;
    this.#mine.delete(refId);
  }

  #path(ref) {
    if (faulty("path-from-message") && typeof ref.path === "string") return ref.path;
    return join(folder(this.#root, ref.generation, "refs"), ref.refId);
  }

  async #read(ref, sink) {
    const path = this.#path(ref);
    if (!faulty("follow-link"))
      for (const above of [join(this.#root, `gen-${ref.generation}`), folder(this.#root, ref.generation, "refs")])
        if (!(await lstat(above)).isDirectory()) throw new Error("no folder");
    const file = await open(path, C.O_RDONLY | C.O_NONBLOCK | (faulty("follow-link") ? 0 : C.O_NOFOLLOW));
    try {
      const about = await file.stat();
      if (!about.isFile()) throw new Error("no file");
      if (about.size !== ref.bytes) return { bytes: about.size };
      const hash = createHash("sha256");
      const buffer = Buffer.allocUnsafe(CHUNK);
      let bytes = 0;
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, CHUNK);
        if (bytesRead === 0) break;
        bytes += bytesRead;
        const piece = buffer.subarray(0, bytesRead);
        hash.update(piece);
        sink(piece);
      }
      return { bytes, sha256: hash.digest("hex") };
    } finally {
      await file.close();
    }
  }

  /** Reads an owned payload into `sink`, piece by piece, and deletes its file. */
  async consume(refId, sink) {
    const entry = this.#mine.get(refId);
    if (!entry?.checked) throw new RefError("ref_not_owned");
    let seen;
    try {
      seen = await this.#read(entry.ref, sink);
    } catch {
      seen = {};
    }
    if (!faulty("keep-consumed")) await rm(this.#path(entry.ref), { force: true });
    this.#drop(refId);
    if (seen.sha256 !== entry.ref.sha256) throw new RefError("ref_rejected", "corrupt");
    return seen;
  }
}

/** Payloads of up to REF_THRESHOLD bytes of JSON stay what they are; a bigger one becomes a reference. */
export async function pack(payload, outbox) {
  const json = JSON.stringify(payload ?? null);
  const size = Buffer.byteLength(json);
  if (size < LIMITS.REF_THRESHOLD + (faulty("threshold-off-by-one") ? 0 : 1)) return { inline: payload ?? null };
  return { ref: await outbox.create(size, [Buffer.from(json)]) };
}

export async function unpack(ref, inbox) {
  const reason = await inbox.accept(ref);
  if (reason !== undefined) throw new RefError("ref_rejected", reason);
  const bytes = Buffer.alloc(ref.bytes);
  let at = 0;
  await inbox.consume(ref.refId, (piece) => {
    at += piece.copy(bytes, at);
  });
  return JSON.parse(bytes.toString("utf8"));
}
