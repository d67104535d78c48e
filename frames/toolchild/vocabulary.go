package toolchild

// A Direction says who may send a message.
type Direction uint8

const (
	ServerToChild Direction = 1 << iota
	ChildToServer
	// Either is the direction of reference control, and of a decoder that takes both.
	Either = ServerToChild | ChildToServer
)

func (d Direction) String() string {
	switch d {
	case ServerToChild:
		return "server to child"
	case ChildToServer:
		return "child to server"
	}
	return "either way"
}

// A Type is a message's type, as it stands in its "type" field.
type Type string

// The message types.
const (
	HelloAck        Type = "hello_ack"
	Job             Type = "job"
	Cancel          Type = "cancel"
	HostReply       Type = "host_reply"
	HostCallRefused Type = "host_call_refused"
	LaunchAck       Type = "launch_ack"
	WakeAck         Type = "wake_ack"
	SlotQuery       Type = "slot_query"
	Shutdown        Type = "shutdown"

	Hello          Type = "hello"
	Heartbeat      Type = "heartbeat"
	Result         Type = "result"
	ResultRef      Type = "result_ref"
	JobError       Type = "job_error"
	JobRefused     Type = "job_refused"
	HostCall       Type = "host_call"
	Launch         Type = "launch"
	LaunchProof    Type = "launch_proof"
	LaunchDone     Type = "launch_done"
	CommandStarted Type = "command_started"
	SlotState      Type = "slot_state"
	Wake           Type = "wake"
	Batch          Type = "batch"
	Trace          Type = "trace"

	RefAck  Type = "ref_ack"
	RefNack Type = "ref_nack"
)

// Lossy reports whether a full budget may drop a message of this type, counted.
// Only trace is lossy.
func (t Type) Lossy() bool { return t == Trace }

// A Kind is what a field may hold.
type Kind struct {
	Name   string   // "string", "number", "number|null", "boolean", "json", "ref", "entries", "detail" or "enum"
	Values []string // the values of an enum
}

// The kinds that fields are made of.
var (
	kindString       = Kind{Name: "string"}
	kindNumber       = Kind{Name: "number"}      // finite
	kindNumberOrNull = Kind{Name: "number|null"} // finite
	kindBoolean      = Kind{Name: "boolean"}
	kindJSON         = Kind{Name: "json"} // anything that is there
	kindRef          = Kind{Name: "ref"}
	kindEntries      = Kind{Name: "entries"}
	kindDetail       = Kind{Name: "detail"}

	kindOrigin      = enum("tool", "terminal", "user_bash", "interpreter", "monitor", "kernel")
	kindAPI         = enum("bun.spawn", "bun.spawnSync", "bun.shell", "cp.spawn", "cp.spawnSync", "cp.execFileSync")
	kindContainment = enum("own-group", "inherited", "job", "breakaway")
	kindLifetime    = enum("owned", "detached")
	kindNackReason  = enum("cancelled", "corrupt", "missing", "budget", "foreign")
)

// reservedKeys may not stand in a trace's detail: the lossy class never carries
// a result, a proof or a tick.
var reservedKeys = []string{"value", "valueRef", "result", "ref", "args", "argsRef", "ackTick", "invokeTick"}

func enum(values ...string) Kind { return Kind{Name: "enum", Values: values} }

// A Field is one field of a message type.
type Field struct {
	Name     string
	Kind     Kind
	Optional bool
}

// A Shape is what the guard demands of one message type.
type Shape struct {
	Type      Type
	Direction Direction
	Fields    []Field
}

func req(name string, kind Kind) Field { return Field{Name: name, Kind: kind} }
func opt(name string, kind Kind) Field { return Field{Name: name, Kind: kind, Optional: true} }

var vocabulary = []Shape{
	{HelloAck, ServerToChild, []Field{req("generation", kindNumber)}},
	{Job, ServerToChild, []Field{
		req("jobId", kindString), req("kind", kindString), opt("parentJobId", kindString),
		opt("args", kindJSON), opt("argsRef", kindRef),
	}},
	{Cancel, ServerToChild, []Field{req("jobId", kindString)}},
	{HostReply, ServerToChild, []Field{
		req("callId", kindString), opt("value", kindJSON), opt("valueRef", kindRef), opt("error", kindString),
	}},
	{HostCallRefused, ServerToChild, []Field{req("callId", kindString), req("code", kindString)}},
	{LaunchAck, ServerToChild, []Field{req("launchId", kindString)}},
	{WakeAck, ServerToChild, []Field{req("wakeId", kindString)}},
	{SlotQuery, ServerToChild, []Field{req("launchId", kindString)}},
	{Shutdown, ServerToChild, nil},

	{Hello, ChildToServer, []Field{req("generation", kindNumber), req("pid", kindNumber), req("protocol", kindNumber)}},
	{Heartbeat, ChildToServer, []Field{req("seq", kindNumber)}},
	{Result, ChildToServer, []Field{req("jobId", kindString), req("value", kindJSON)}},
	{ResultRef, ChildToServer, []Field{req("jobId", kindString), req("ref", kindRef)}},
	{JobError, ChildToServer, []Field{req("jobId", kindString), req("code", kindString), req("message", kindString)}},
	{JobRefused, ChildToServer, []Field{req("jobId", kindString), req("code", kindString)}},
	{HostCall, ChildToServer, []Field{
		req("callId", kindString), req("jobId", kindString), req("tool", kindString),
		opt("args", kindJSON), opt("argsRef", kindRef),
	}},
	{Launch, ChildToServer, []Field{
		req("launchId", kindString), req("jobId", kindString),
		req("origin", kindOrigin), req("api", kindAPI), req("containment", kindContainment), req("lifetime", kindLifetime),
		opt("pid", kindNumber), opt("pgid", kindNumber),
	}},
	{LaunchProof, ChildToServer, []Field{req("launchId", kindString), req("ackTick", kindNumber), req("invokeTick", kindNumber)}},
	{LaunchDone, ChildToServer, []Field{req("launchId", kindString), opt("exitCode", kindNumber), opt("signal", kindString)}},
	{CommandStarted, ChildToServer, []Field{
		req("launchId", kindString), req("pid", kindNumber), req("startedAtMs", kindNumber),
		req("creatorInJob", kindBoolean), req("breakaway", kindBoolean),
	}},
	{SlotState, ChildToServer, []Field{
		req("launchId", kindString), req("ackTick", kindNumberOrNull), req("invokeTick", kindNumberOrNull),
		req("invocations", kindNumber),
	}},
	{Wake, ChildToServer, []Field{req("wakeId", kindString), req("source", kindString), req("bytes", kindNumber)}},
	{Batch, ChildToServer, []Field{req("jobId", kindString), req("entries", kindEntries), req("done", kindBoolean)}},
	{Trace, ChildToServer, []Field{req("atMs", kindNumber), req("event", kindString), opt("detail", kindDetail)}},

	{RefAck, Either, []Field{req("refId", kindString)}},
	{RefNack, Either, []Field{req("refId", kindString), req("reason", kindNackReason)}},
}

var shapes = func() map[Type]*Shape {
	byType := make(map[Type]*Shape, len(vocabulary))
	for i := range vocabulary {
		byType[vocabulary[i].Type] = &vocabulary[i]
	}
	return byType
}()

// Vocabulary lists every message type: those that the server sends, those that
// the child sends, then reference control. The caller must not change it.
func Vocabulary() []Shape { return vocabulary }

func (s *Shape) field(name string) *Field {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return &s.Fields[i]
		}
	}
	return nil
}
