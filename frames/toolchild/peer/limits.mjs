export const LIMITS = {
  frameBytes: 16777216,
  jobs: 32,
  wakePending: 64,
  wakePendingBytes: 1048576,
  HOST_CALL_ACTIVE: 8,
  HOST_CALL_WAITING: 256,
  REF_THRESHOLD: 4194304,
  refAckMs: 30000,
  refsBudget: 1073741824,
  tracePerSecond: 1024,
};
