// Frames on a pair of streams: four bytes of length, highest first, then JSON.
import { faulty } from "./faults.mjs";
import { judge, wayOf } from "./guard.mjs";
import { LIMITS } from "./limits.mjs";

export function frame(message) {
  const body = Buffer.from(JSON.stringify(message), "utf8");
  if (body.length > LIMITS.frameBytes) throw new Error(`a frame of ${body.length} bytes`);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Cuts a stream into messages. `way` is the sign of the side that is heard. */
export class Unframer {
  #parts = [];
  #size = 0;
  #need = 4;
  #head = true;
  #way;

  constructor(way) {
    this.#way = way;
  }

  /** Whether the stream may end here. */
  get between() {
    return this.#head && this.#size === 0;
  }

  /** Yields the messages that a chunk completes; throws on what is none. */
  *feed(chunk) {
    this.#parts.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= this.#need) {
      const piece = this.#cut(this.#need);
      if (this.#head) {
        this.#need = piece.readUInt32BE(0);
        if (this.#need > LIMITS.frameBytes && !faulty("oversize-frame")) throw new Error(`a frame of ${this.#need} bytes`);
        this.#head = false;
        continue;
      }
      this.#head = true;
      this.#need = 4;
      const message = judge(piece);
      const bad = typeof message === "string" ? message : this.#wrongWay(message);
      if (!bad) yield message;
      else if (!faulty("skip-bad-frame")) throw new Error(`${bad}: ${piece.subarray(0, 80)}`);
    }
  }

  #wrongWay(message) {
    const way = wayOf(message);
    return way !== "=" && way !== this.#way && !faulty("any-direction") && "the wrong direction";
  }

  #cut(size) {
    const all = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = all.length > size ? [all.subarray(size)] : [];
    this.#size -= size;
    return all.subarray(0, size);
  }
}
