// Faults that a run may plant in this peer, to see that the conformance suite
// names them: --fault NAME. Without one the peer is what it should be.
export const FAULTS = {
  "unknown-field": "the guard lets an unknown field through",
  "unsafe-integer": "the guard takes 2^53 for a safe integer",
  "infinite-number": "the guard takes 1e999 for a number",
  "inherited-type": "the guard looks a type up in the prototype chain",
  "null-is-absent": "the guard takes null for a missing field",
  "reserved-key": "the guard lets a reserved key through in a trace's detail",
  "any-direction": "messages of the wrong direction are taken",
  "oversize-frame": "a length above the limit is not refused at the header",
  "skip-bad-frame": "the decoder goes on after a bad frame",
  "lenient-utf8": "invalid UTF-8 is replaced instead of refused",
  "ack-deletes": "the writer deletes a file when it is acknowledged",
  "accept-deletes": "the reader deletes a file when it acknowledges it",
  "nack-keeps": "the writer keeps a refused file",
  "settle-deletes": "the writer deletes a file when its operation settles",
  "keep-consumed": "the reader leaves a consumed file",
  "budget-off-by-one": "the reference budget has one byte too many",
  "threshold-off-by-one": "a payload of exactly REF_THRESHOLD goes by reference",
  "path-from-message": "the reader takes the path from the message",
  "follow-link": "the reader follows links",
  "no-hash": "the reader does not check the sha256",
  "no-size": "the reader checks nothing but that the file is there",
  "foreign-taken": "the reader takes references of another generation",
  "wide-modes": "files and folders are readable for everybody",
  "half-visible": "a file stands under its name while it is written",
  "jobs-off-by-one": "one ordinary job too many",
  "nested-counted": "nested jobs count as ordinary ones",
  "calls-off-by-one": "one active host call too many",
  "calls-reordered": "waiting host calls run last in, first out",
  "wakes-off-by-one": "one pending wake too many",
  "wakes-dropped": "a wake above the budget is dropped",
  "trace-unbounded": "traces are never dropped",
  "proof-before-ack": "a launch is proved before it was acknowledged",
};

const planted = new Set();

export function plant(name) {
  if (!Object.hasOwn(FAULTS, name)) throw new Error(`no fault is called ${name}; there are ${Object.keys(FAULTS).join(", ")}`);
  planted.add(name);
}

export const faulty = (name) => planted.has(name);
