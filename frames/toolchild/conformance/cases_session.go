package conformance

import (
	"fmt"
	"maps"

	"phpwire/frames/toolchild"
	"phpwire/frames/toolchild/peer"
)

func sessionCases(l *list) {
	l.child("session/hello-first", "TC-S1", func(s *session) {
		s.launch(0)
		hello, err := s.peer.Receive(s.options.Timeout)
		s.check(err)
		s.want(hello.Type == toolchild.Hello, "got %s, want hello", hello.Type)
		theirs, _ := hello.Number("generation")
		pid, _ := hello.Number("pid")
		protocol, _ := hello.Number("protocol")
		s.want(theirs == generation, "got generation %v, want %d", theirs, generation)
		s.want(pid == float64(int(pid)) && pid > 0, "got pid %v, want a process id", pid)
		s.want(protocol == 1, "got protocol %v, want 1", protocol)
	})
	l.server("session/hello-ack", "TC-S2", func(s *session) {
		s.launch(0)
		s.send(toolchild.Hello, toolchild.Fields{"generation": generation, "pid": 1, "protocol": 1})
		theirs, _ := s.await(toolchild.HelloAck).Number("generation")
		s.want(theirs == generation, "got generation %v, want %d", theirs, generation)
	})
	greeting := fmt.Sprintf(`{"type":"hello_ack","generation":%d}`, generation+1)
	if l.role == peer.Server {
		greeting = fmt.Sprintf(`{"type":"hello","generation":%d,"pid":1,"protocol":1}`, generation+1)
	}
	for _, c := range [][2]string{
		{"other-generation", greeting},
		{"no-greeting", (&session{role: l.role}).pingBody("a")},
	} {
		l.add("session/"+c[0], "TC-S3", func(s *session) {
			s.launch(0)
			if l.role == peer.Child {
				s.await(toolchild.Hello)
			}
			s.sendBody([]byte(c[1]))
			s.closed()
		})
	}
	l.child("session/shutdown", "TC-S4", func(s *session) {
		s.open()
		s.alive()
		s.send(toolchild.Shutdown, nil)
		s.closedWithoutMessage()
		s.endsWith(true)
	})

	for _, c := range [][2]string{
		{"null", `null`}, {"string", `"a\"\\\u0000é😀"`}, {"nested", `{"a":[1,{"b":[]},null,true],"":{}}`},
		{"lone-surrogate", `"\ud800"`}, {"proto", `{"__proto__":{"a":1}}`}, {"numbers", `[0,-1.5,1e+21,5e-324,9007199254740992]`},
	} {
		l.add("session/echo-"+c[0], "TC-S6", func(s *session) {
			s.open()
			got := s.done("echo", toolchild.JSON(c[1]), nil)
			s.want(string(got) == c[1], "got %s, want %s", got, c[1])
		})
	}
	l.add("session/answered-once", "TC-S6", func(s *session) {
		s.open()
		s.alive()
		s.answersAreOver()
	})
	l.add("session/absent-args", "TC-S6", func(s *session) {
		s.open()
		got := s.done("echo", nil, nil)
		s.want(string(got) == "null", "got %s, want null", got)
	})
	l.add("session/failure", "TC-S7", func(s *session) {
		s.open()
		id, err := s.peer.Ask("fail", nil, nil)
		s.check(err)
		if l.role == peer.Child {
			failed := s.await(toolchild.JobError)
			s.want(failed.Text("jobId") == id, "got jobId %q, want %q", failed.Text("jobId"), id)
			return
		}
		failed := s.await(toolchild.HostReply)
		s.want(failed.Text("callId") == id && failed.Has("error"), "got %s, want an error for %q", failed.Body(), id)
	})
	l.child("session/unknown-kind", "TC-S8", func(s *session) {
		s.open()
		for _, kind := range []string{"no such kind", "toString", "__proto__"} {
			reply := s.call(kind, nil, nil)
			s.want(reply.Refused, "got %s%s for a job of kind %q, want job_refused", reply.Value, reply.Code, kind)
		}
	})
	l.child("session/cancel", "TC-S9", func(s *session) {
		s.open()
		id, err := s.peer.Ask("hold", nil, nil)
		s.check(err)
		s.alive()
		s.send(toolchild.Cancel, toolchild.Fields{"jobId": id})
		failed := s.await(toolchild.JobError)
		s.want(failed.Text("jobId") == id, "got jobId %q, want %q", failed.Text("jobId"), id)
	})
	l.child("session/cancel-nothing", "TC-S9", func(s *session) {
		s.open()
		s.send(toolchild.Cancel, toolchild.Fields{"jobId": "no such job"})
		s.alive()
		s.answersAreOver()
	})
	// relay has the peer ask this side, answers it, and checks what came of it.
	relay := func(add func(string, string, func(*session)), id, clause string, ask relayed, answer toolchild.Type, fields toolchild.Fields, want string) {
		add(id, clause, func(s *session) {
			s.open()
			asked, err := s.peer.Ask(ask.operation, toolchild.Fields{ask.name: "run", "args": []any{"a", nil}}, nil)
			s.check(err)
			message := s.await(ask.message)
			s.want(message.Text(ask.name) == "run" && string(message.JSON("args")) == `["a",null]`, "got %s", message.Body())
			answered := maps.Clone(fields)
			answered[ask.id] = message.Text(ask.id)
			s.send(answer, answered)
			got, err := s.peer.Answer(s.options.Timeout, asked)
			s.check(err)
			s.want(string(got.Value)+got.Code == want, "got %s%s, want %s", got.Value, got.Code, want)
		})
	}
	call := relayed{"call", "tool", toolchild.HostCall, "callId"}
	relay(l.child, "session/host-call-value", "TC-S10", call, toolchild.HostReply, toolchild.Fields{"value": []any{1, nil}}, "[1,null]")
	relay(l.child, "session/host-call-error", "TC-S10", call, toolchild.HostReply, toolchild.Fields{"error": "no_such_file"}, "no_such_file")
	relay(l.child, "session/host-call-refused", "TC-S10", call, toolchild.HostCallRefused, toolchild.Fields{"code": "busy"}, "busy")
	job := relayed{"job", "kind", toolchild.Job, "jobId"}
	relay(l.server, "session/job-result", "TC-S11", job, toolchild.Result, toolchild.Fields{"value": "done"}, `"done"`)
	relay(l.server, "session/job-error", "TC-S11", job, toolchild.JobError, toolchild.Fields{"code": "broken", "message": "it broke"}, "broken")
	relay(l.server, "session/job-refused", "TC-S11", job, toolchild.JobRefused, toolchild.Fields{"code": "full"}, "full")

	l.child("session/launch", "TC-S12", func(s *session) {
		s.open()
		ask, err := s.peer.Ask("launch", toolchild.Fields{"launchId": "l"}, nil)
		s.check(err)
		launch := s.await(toolchild.Launch)
		s.want(launch.Text("launchId") == "l" && launch.Text("jobId") == ask, "got %s", launch.Body())
		s.want(s.count(toolchild.LaunchProof) == 0, "launch_proof came before launch_ack")
		s.want(s.count(toolchild.CommandStarted) == 0, "command_started came before launch_ack")
		s.send(toolchild.LaunchAck, toolchild.Fields{"launchId": "l"})
		proof := s.await(toolchild.LaunchProof)
		ack, _ := proof.Number("ackTick")
		invoke, _ := proof.Number("invokeTick")
		s.want(ack < invoke, "got ackTick %v and invokeTick %v, want the first before the second", ack, invoke)
		s.await(toolchild.CommandStarted)
		s.await(toolchild.LaunchDone)
	})
	l.child("session/slot-after-launch", "TC-S14", func(s *session) {
		s.open()
		_, err := s.peer.Ask("launch", toolchild.Fields{"launchId": "l"}, nil)
		s.check(err)
		s.await(toolchild.Launch)
		s.send(toolchild.SlotQuery, toolchild.Fields{"launchId": "l"})
		s.slot(false, 0, 0, 0)
		s.send(toolchild.LaunchAck, toolchild.Fields{"launchId": "l"})
		proof := s.await(toolchild.LaunchProof)
		ack, _ := proof.Number("ackTick")
		invoke, _ := proof.Number("invokeTick")
		s.send(toolchild.SlotQuery, toolchild.Fields{"launchId": "l"})
		s.slot(true, ack, invoke, 1)
	})
	l.child("session/slot-unknown", "TC-S14", func(s *session) {
		s.open()
		s.send(toolchild.SlotQuery, toolchild.Fields{"launchId": "no such launch"})
		s.slot(false, 0, 0, 0)
	})
	l.server("session/launch-ack", "TC-S13", func(s *session) {
		s.open()
		s.send(toolchild.Launch, toolchild.Fields{
			"launchId": "l", "jobId": "j", "origin": "terminal", "api": "cp.spawn", "containment": "job", "lifetime": "detached",
		})
		id := s.await(toolchild.LaunchAck).Text("launchId")
		s.want(id == "l", "got launchId %q, want \"l\"", id)
	})
	l.server("session/wake-ack", "TC-S13", func(s *session) {
		s.open()
		s.send(toolchild.Wake, toolchild.Fields{"wakeId": "w", "source": "monitor", "bytes": 5})
		id := s.await(toolchild.WakeAck).Text("wakeId")
		s.want(id == "w", "got wakeId %q, want \"w\"", id)
	})
	l.child("session/batch", "TC-S15", func(s *session) {
		s.open()
		entry := toolchild.EntryMeta{ID: "e", LineBytes: 10, LineDelta: -2, Entry: toolchild.JSON(`{"a":1}`)}
		_, err := s.peer.Ask("batch", toolchild.Fields{"entries": []toolchild.EntryMeta{entry}}, nil)
		s.check(err)
		var entries []toolchild.EntryMeta
		for done := false; !done; {
			batch := s.await(toolchild.Batch)
			entries = append(entries, batch.Entries()...)
			done = batch.Bool("done")
		}
		s.want(len(entries) == 1 && entries[0].ID == "e" && entries[0].LineDelta == -2, "got entries %+v", entries)
		s.want(s.count(toolchild.Batch) == 0, "a batch came after the last")
	})
}

// A relayed operation has the peer send a message of its own.
type relayed struct {
	operation string
	name      string // the field that says what is asked for
	message   toolchild.Type
	id        string // the field that the answer repeats
}

func (s *session) slot(ticked bool, ack, invoke, invocations float64) {
	slot := s.await(toolchild.SlotState)
	gotAck, ackIs := slot.Number("ackTick")
	gotInvoke, invokeIs := slot.Number("invokeTick")
	got, _ := slot.Number("invocations")
	s.want(ackIs == ticked && invokeIs == ticked && gotAck == ack && gotInvoke == invoke && got == invocations,
		"got %s, want ticks %v %v (there: %v) and %v invocations", slot.Body(), ack, invoke, ticked, invocations)
}

// answersAreOver fails if anything is left of what came.
func (s *session) answersAreOver() {
	s.alive()
	if message, err := s.peer.Receive(1); err == nil {
		s.failf("got %s, want nothing more", message.Body())
	}
}
