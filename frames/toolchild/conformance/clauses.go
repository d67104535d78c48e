package conformance

// A Clause is a requirement of docs/toolchild.md.
type Clause struct {
	ID          string
	Requirement string
}

// Clauses lists the requirements in the order of docs/toolchild.md.
func Clauses() []Clause { return clauses }

var clauses = []Clause{
	{"TC-F1", "A frame is a 32-bit unsigned big-endian length and that many bytes of body; frames follow each other without anything between them."},
	{"TC-F2", "A receiver takes the stream in any chunks: the messages and the error do not depend on where it is cut."},
	{"TC-F3", "A body has at most frameBytes (16 MiB) bytes, and a body of exactly that many is taken."},
	{"TC-F4", "A length above frameBytes is refused at the header, before a byte of the body has come."},
	{"TC-F5", "A body that is not UTF-8 fails the channel."},
	{"TC-F6", "A body that is not one JSON text, by the rules of JSON.parse, fails the channel; so does an empty body."},
	{"TC-F7", "A failed channel stays failed: what follows the bad frame is not answered, and the peer closes its side."},
	{"TC-F8", "A stream that ends inside a frame has failed; one that ends between frames has not."},
	{"TC-D1", "A message of the wrong direction fails the channel."},
	{"TC-D2", "ref_ack and ref_nack go both ways."},
	{"TC-G1", "A message is a JSON object."},
	{"TC-G2", "Its type is a string, and is one of the vocabulary's names exactly."},
	{"TC-G3", "A message with its required fields, and any of its optional ones, is taken."},
	{"TC-G4", "A message without one of its required fields is refused."},
	{"TC-G5", "A field of kind string is a string."},
	{"TC-G6", "A field of kind number is a finite number."},
	{"TC-G7", "A field of kind number|null is a finite number or null."},
	{"TC-G8", "A field of kind boolean is true or false."},
	{"TC-G9", "A field of kind json is any value that is there, null included."},
	{"TC-G10", "A field of kind ref is an object with a refId of 1 to 64 of A-Z, a-z, 0-9, _ and -, a generation and bytes that are safe integers from 0, and a sha256 of 64 lower-case hexadecimal digits; what else it has is ignored."},
	{"TC-G11", "A field of kind entries is an array of objects with a string id, a parentId that is a string or null, lineOffset and lineBytes that are safe integers from 0, and a lineDelta that is a safe integer; what else they have is ignored."},
	{"TC-G12", "A field of kind detail is an object whose members are strings, numbers or booleans, under none of the reserved keys."},
	{"TC-G13", "A field of an enumeration is one of its strings exactly."},
	{"TC-G14", "A message with a field that its type does not have is refused."},
	{"TC-G15", "An optional field may be absent; null is not absence."},
	{"TC-J1", "A repeated key has its last value."},
	{"TC-J2", "__proto__ is a key like any other."},
	{"TC-J3", "A safe integer is judged by its double: 5.0 and 5e0 are 5, -0 is 0, 2^53 is not safe."},
	{"TC-J4", "A number beyond the doubles is infinite: it is no finite number, but may stand in kind json and as a detail's scalar."},
	{"TC-J5", "Lone surrogates may stand in strings, as escapes."},
	{"TC-J6", "Nesting is bounded by the frame alone."},
	{"TC-J7", "The grammar is JSON's: four kinds of space, no byte order mark, no trailing comma, no comment."},
	{"TC-J8", "Numbers are doubles: where no integer is asked for, fractions, signs and any size below infinity are taken."},
	{"TC-S1", "The child's first message is hello, with its generation, its process id and the protocol's number, 1."},
	{"TC-S2", "The server answers hello with hello_ack of the same generation."},
	{"TC-S3", "A first message that is no greeting, or of another generation, fails the channel."},
	{"TC-S4", "On shutdown the child ends, with status 0."},
	{"TC-S5", "A peer whose stream ends between frames ends with status 0."},
	{"TC-S6", "A job is answered by one result, or result_ref, of its jobId; a host call by one host_reply of its callId."},
	{"TC-S7", "A job that fails is answered by job_error, a host call that fails by host_reply with error."},
	{"TC-S8", "A job of an unknown kind is answered by job_refused."},
	{"TC-S9", "cancel ends a job, which is answered by job_error; for a job that does not run it means nothing."},
	{"TC-S10", "A child calls its host with host_call, and takes host_reply or host_call_refused."},
	{"TC-S11", "A server gives jobs, and takes result, result_ref, job_error or job_refused."},
	{"TC-S12", "A launch is not proved, nor its command started, before launch_ack; its ackTick lies before its invokeTick."},
	{"TC-S13", "The server answers launch with launch_ack and wake with wake_ack."},
	{"TC-S14", "slot_query is answered by slot_state: null ticks and no invocation for a launch that has not happened, the ticks of the proof for one that has."},
	{"TC-S15", "The last batch of a job, and only that, is done."},
	{"TC-B1", "A child runs up to jobs (32) ordinary jobs at once and refuses the next with job_refused; a job that ends makes room."},
	{"TC-B2", "Nested jobs, which have a parentJobId, have a bound of their own: HOST_CALL_ACTIVE + HOST_CALL_WAITING (264)."},
	{"TC-B3", "A server runs up to HOST_CALL_ACTIVE (8) host calls at once."},
	{"TC-B4", "Up to HOST_CALL_WAITING (256) more wait, and run in the order in which they came."},
	{"TC-B5", "The next host call is answered by host_call_refused."},
	{"TC-B6", "At most wakePending (64) wakes are not acknowledged; the next one waits for a wake_ack."},
	{"TC-B7", "The wakes that are not acknowledged have at most wakePendingBytes (1 MiB) in sum, a wake that is bigger by itself excepted: it goes alone."},
	{"TC-B8", "No wake is dropped, and none overtakes another."},
	{"TC-B9", "At most tracePerSecond (1024) traces are sent in any second; the others are dropped and counted."},
	{"TC-B10", "Nothing but trace is dropped."},
	{"TC-B11", "The limits have their values."},
	{"TC-R1", "A payload of up to REF_THRESHOLD (4 MiB) bytes of JSON travels inline, and touches no file."},
	{"TC-R2", "A bigger payload travels by reference, in either direction."},
	{"TC-R3", "The receiver derives the file's path from the root, the generation and the id: ROOT/gen-GENERATION/refs/ID. No path in a message counts."},
	{"TC-R4", "A file of another size or another sha256 than the reference says is refused as corrupt."},
	{"TC-R5", "ref_ack makes the file the receiver's: the writer forgets it and does not delete it."},
	{"TC-R6", "A refusal has one of five reasons: cancelled, corrupt, missing, budget, foreign."},
	{"TC-R7", "The end of the operation that sent a reference does not delete its file."},
	{"TC-R8", "On ref_nack, of any reason, the writer deletes the file."},
	{"TC-R9", "An answer for an id that is not pending means nothing."},
	{"TC-R10", "The receiver keeps an accepted file until it is consumed, and then deletes it."},
	{"TC-R11", "A writer owns at most its budget, refsBudget (1 GiB) by default; a payload beyond it fails with ref_budget_exceeded and leaves nothing."},
	{"TC-R12", "A reader owns at most its budget; a reference beyond it is refused with budget."},
	{"TC-R13", "A reference that is not answered after refAckMs (30 s) is reported as overdue, and not deleted."},
	{"TC-R14", "The teardown of a generation deletes its files, acknowledged or not, and its spool folder, and no other generation's."},
	{"TC-R15", "A sweep deletes every generation that is not live, and nothing else."},
	{"TC-R16", "A reference of another generation is refused as foreign."},
	{"TC-R17", "An id that could leave its folder is refused by the guard."},
	{"TC-R18", "Links are not followed, and what is no regular file is not taken."},
	{"TC-R19", "Files are 0600, folders 0700."},
	{"TC-R20", "A file that is being written does not stand under its name."},
	{"TC-R21", "A reference that is already owned is acknowledged again, and counts once."},
	{"TC-R22", "An operation whose payload was refused fails."},
}

var requirements = func() map[string]string {
	byID := make(map[string]string, len(clauses))
	for _, c := range clauses {
		byID[c.ID] = c.Requirement
	}
	return byID
}()
