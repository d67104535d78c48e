package toolchild

const mib = 1 << 20

// The protocol's limits.
const (
	FrameBytes       = 16 * mib   // largest frame body, in bytes
	Jobs             = 32         // ordinary jobs that one child runs at once
	WakePending      = 64         // wakes awaiting wake_ack
	WakePendingBytes = 1 * mib    // sum of their bytes
	HostCallActive   = 8          // host calls that the server runs at once
	HostCallWaiting  = 256        // host calls that wait behind them
	RefThreshold     = 4 * mib    // largest payload, in bytes of JSON, that travels inline
	RefAckMs         = 30_000     // age, in milliseconds, from which an unacknowledged reference is overdue
	RefsBudget       = 1024 * mib // bytes of reference files that one side may own at once
	TracePerSecond   = 1024       // trace frames in any second
)

// HostCallCapacity is how many host calls a server holds, and so the bound on
// nested jobs: each of them stands for a host call in progress.
const HostCallCapacity = HostCallActive + HostCallWaiting

// A Limit is a protocol limit under the name it has on the wire's own side.
type Limit struct {
	Name  string
	Value int
}

// Limits lists every limit by its protocol name.
func Limits() []Limit {
	return []Limit{
		{"frameBytes", FrameBytes},
		{"jobs", Jobs},
		{"wakePending", WakePending},
		{"wakePendingBytes", WakePendingBytes},
		{"HOST_CALL_ACTIVE", HostCallActive},
		{"HOST_CALL_WAITING", HostCallWaiting},
		{"REF_THRESHOLD", RefThreshold},
		{"refAckMs", RefAckMs},
		{"refsBudget", RefsBudget},
		{"tracePerSecond", TracePerSecond},
	}
}
