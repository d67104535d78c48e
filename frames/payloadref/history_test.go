package payloadref

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"phpwire/frames/toolchild"
	"phpwire/frames/toolchild/peer"
)

const (
	// historiesVariable says how many histories are tried.
	historiesVariable = "PHPWIRE_TOOLCHILD_HISTORIES"
	// seedVariable repeats a run.
	seedVariable = "PHPWIRE_TOOLCHILD_SEED"

	commandsInHistory = 24
	patience          = 30 * time.Second
)

// A system is this package's writer and reader, and the peer's in a process of
// its own, on one root.
type system struct {
	command    []string
	faults     []string
	root       string
	generation int64
	now        time.Time
	peer       *peer.Peer
	next       chan *peer.Peer // one that is being started, for the next generation
	writer     *Writer
	reader     *Reader
	refs       []toolchild.PayloadRef // in the order of their creation, as in the model
	mail       [2][]toolchild.Message // answers that are under way, by the side that sent them
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func (s *system) startNext() {
	generation := s.generation + 1
	s.next = make(chan *peer.Peer, 1)
	go func(next chan *peer.Peer) {
		p, err := peer.Start(peer.Options{
			Command: s.command, Role: peer.Child, Root: s.root, Generation: generation, RefsBudget: historyBudget, Faults: s.faults,
		})
		check(err)
		next <- p
	}(s.next)
}

// begin takes the next generation's peer.
func (s *system) begin() {
	if s.next == nil {
		s.startNext()
	}
	s.peer = <-s.next
	s.generation++
	s.startNext()
	check(s.peer.Greet(patience))
	s.peer.OnControl = func(control toolchild.Message) { s.mail[there] = append(s.mail[there], control) }
	s.fresh()
}

// fresh makes this side's own writer and reader new.
func (s *system) fresh() {
	s.writer = NewWriter(WriterOptions{Root: s.root, Generation: s.generation, Budget: historyBudget, Now: func() time.Time { return s.now }})
	s.reader = NewReader(ReaderOptions{Root: s.root, Generation: s.generation, Budget: historyBudget, Send: func(control toolchild.Message) error {
		s.mail[here] = append(s.mail[here], control)
		return nil
	}})
	s.mail = [2][]toolchild.Message{}
}

func (s *system) deliver(side int) string {
	control := s.mail[side][0]
	s.mail[side] = s.mail[side][1:]
	if side == here {
		check(s.peer.SendMessage(control))
	} else {
		check(s.writer.Handle(control))
	}
	return "delivered"
}

func (s *system) end() {
	s.peer.Kill()
	(<-s.next).Kill()
}

func (s *system) ask(operation string, args any, ref *toolchild.PayloadRef) peer.Reply {
	reply, err := s.peer.Call(patience, operation, args, ref)
	check(err)
	return reply
}

func text(value toolchild.JSON) (s string) {
	check(json.Unmarshal(value, &s))
	return s
}

func (s *system) create(side int, size int64, seed int) string {
	if side == there {
		reply := s.ask("refs.create", toolchild.Fields{"bytes": size, "seed": seed}, nil)
		if reply.Ref == nil {
			return reply.Code
		}
		s.refs = append(s.refs, *reply.Ref)
		return "created"
	}
	ref, err := s.writer.Create(context.Background(), bytes.NewReader(bytesOf(int(size), seed)))
	if err != nil {
		return string(err.(*Error).Code)
	}
	s.refs = append(s.refs, ref)
	return "created"
}

func (s *system) accept(k, reader int, cancelled bool) string {
	ref := s.refs[k]
	if reader == there {
		return text(s.ask("refs.accept", toolchild.Fields{"cancelled": cancelled}, &ref).Value)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if cancelled {
		cancel()
	}
	if err := s.reader.Accept(ctx, ref); err != nil {
		return string(err.(*Error).Reason)
	}
	return "accepted"
}

func (s *system) refuse(k, reader int, reason Reason) string {
	ref := s.refs[k]
	if reader == there {
		s.ask("refs.refuse", toolchild.Fields{"reason": string(reason)}, &ref)
	} else {
		check(s.reader.Refuse(ref, reason))
	}
	return "refused"
}

func (s *system) consume(k, reader int) string {
	id := s.refs[k].RefID
	if reader == there {
		if code := s.ask("refs.consume", toolchild.Fields{"refId": id}, nil).Code; code != "" {
			return code
		}
		return "consumed"
	}
	return consumeHere(s.reader, id)
}

func consumeHere(r *Reader, id string) string {
	if err := r.Consume(context.Background(), id, &bytes.Buffer{}); err != nil {
		return string(err.(*Error).Code)
	}
	return "consumed"
}

func (s *system) path(k int) string {
	path, err := RefFilePath(s.root, s.refs[k])
	check(err)
	return path
}

func (s *system) spoil(k int, d damage) string {
	if d == lost {
		check(os.Remove(s.path(k)))
		return d.String()
	}
	content, err := os.ReadFile(s.path(k))
	check(err)
	// Set, not flipped: a second corruption must not undo the first.
	middle := len(content) / 2
	content[middle] = ^bytesOf(middle+1, payloadSeed)[middle]
	check(os.WriteFile(s.path(k), content, 0o600))
	return d.String()
}

const payloadSeed = 3

func (s *system) teardown(side int) string {
	if side == there {
		s.ask("refs.teardown", nil, nil)
	} else {
		check(s.writer.Teardown())
		s.writer = NewWriter(WriterOptions{Root: s.root, Generation: s.generation, Budget: historyBudget, Now: func() time.Time { return s.now }})
	}
	return "torn down"
}

// crash kills a side and does what the other one, or the next, does about it.
func (s *system) crash(side int) string {
	var answers []string
	if side == there {
		s.peer.Kill()
		check(s.reader.PeerDied())
		for _, name := range s.filesIn(refsName) {
			if !slices.Contains(s.reader.OwnedIDs(), name) {
				answers = append(answers, name+" was left")
			}
		}
		for k, ref := range s.refs {
			if slices.Contains(s.reader.OwnedIDs(), ref.RefID) {
				answers = append(answers, fmt.Sprintf("%d %s", k, consumeHere(s.reader, ref.RefID)))
			}
		}
		check(TeardownGeneration(s.root, s.generation))
	} else {
		s.peer.Close()
		_, err := SweepGenerations(s.root)
		check(err)
	}
	s.begin()
	return strings.Join(answers, ", ")
}

// sweep leaves a generation behind and has a side sweep it away.
func (s *system) sweep(side int) string {
	const stale = 1_000_000_000
	_, err := NewWriter(WriterOptions{Root: s.root, Generation: stale}).Create(context.Background(), strings.NewReader("left behind"))
	check(err)
	if side == there {
		return string(s.ask("refs.sweep", toolchild.Fields{"live": []any{s.generation}}, nil).Value)
	}
	swept, err := SweepGenerations(s.root, s.generation)
	check(err)
	return strings.ReplaceAll(fmt.Sprint(swept), " ", ",")
}

func (s *system) filesIn(name string) []string {
	entries, err := os.ReadDir(filepath.Join(s.root, generationName(s.generation), name))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	check(err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

// numbers returns the references' numbers, in order; -1 for one that was never made.
func (s *system) numbers(ids []string) []int {
	var numbers []int
	for _, id := range ids {
		numbers = append(numbers, slices.IndexFunc(s.refs, func(ref toolchild.PayloadRef) bool { return ref.RefID == id }))
	}
	slices.Sort(numbers)
	return numbers
}

func (s *system) snapshot(answer string) snapshot {
	var theirs struct {
		Pending, Overdue, Owned  []string
		PendingBytes, OwnedBytes int64
	}
	check(json.Unmarshal(s.ask("refs.state", toolchild.Fields{}, nil).Value, &theirs))
	seen := snapshot{
		Answer: answer,
		Sides: [2]sideState{
			{s.numbers(s.writer.PendingIDs()), s.numbers(s.writer.Overdue()), s.numbers(s.reader.OwnedIDs()), s.writer.OwnedBytes(), s.reader.OwnedBytes()},
			{s.numbers(theirs.Pending), s.numbers(theirs.Overdue), s.numbers(theirs.Owned), theirs.PendingBytes, theirs.OwnedBytes},
		},
		Partial: len(s.filesIn(partialName)),
	}
	seen.Disk = s.numbers(s.filesIn(refsName))
	seen.Mail = [2]int{len(s.mail[here]), len(s.mail[there])}
	return seen
}

// A command is one step of a history.
type command struct {
	Name      string
	Side      int
	Ref       int
	Bytes     int64
	Reason    Reason
	Cancelled bool
}

func (c command) String() string {
	switch c.Name {
	case "create":
		return fmt.Sprintf("create %s %d", sideName(c.Side), c.Bytes)
	case "accept":
		return fmt.Sprintf("accept %d cancelled=%t", c.Ref, c.Cancelled)
	case "refuse":
		return fmt.Sprintf("refuse %d %s", c.Ref, c.Reason)
	case "consume", "corrupt", "lose":
		return fmt.Sprintf("%s %d", c.Name, c.Ref)
	case "clock", "stray":
		return c.Name
	}
	return c.Name + " " + sideName(c.Side)
}

func randomCommand(random *rand.Rand, m *model) command {
	c := command{Side: random.Intn(2), Cancelled: random.Intn(6) == 0}
	c.Bytes = int64(random.Intn(8)) * historyBudget / 8 // sums meet the budget exactly
	if random.Intn(4) == 0 {
		c.Bytes++ // or pass it by one
	}
	c.Reason = []Reason{Cancelled, Corrupt, Missing, Budget, Foreign}[random.Intn(5)]
	if len(m.refs) > 0 {
		// Mostly one of the last, for the first ones are soon gone.
		c.Ref = len(m.refs) - 1 - random.Intn(min(len(m.refs), 4))
	}
	names := []string{
		"create", "create", "create", "create", "create", "create",
		"accept", "accept", "accept", "accept", "accept", "deliver", "deliver", "deliver", "deliver", "consume", "consume",
		"refuse", "corrupt", "lose", "clock", "stray", "sweep",
	}
	c.Name = names[random.Intn(len(names))]
	switch random.Intn(150) {
	case 0:
		c.Name = "crash"
	case 1, 2:
		c.Name = "teardown"
	}
	return c
}

func (c command) PreCondition(state commands.State) bool {
	m := state.(*model)
	switch c.Name {
	case "accept":
		return c.Ref < len(m.refs) && m.mayAnswer(c.Ref)
	case "refuse":
		return c.Ref < len(m.refs) && m.mayAnswer(c.Ref) && !m.refs[c.Ref].readerHas
	case "deliver":
		return len(m.mail[c.Side]) > 0
	case "consume":
		return c.Ref < len(m.refs)
	case "lose":
		return c.Ref < len(m.refs) && m.refs[c.Ref].file != lost
	case "corrupt":
		return c.Ref < len(m.refs) && m.refs[c.Ref].file != lost && m.refs[c.Ref].bytes > 0
	}
	return true
}

func (c command) NextState(state commands.State) commands.State {
	m := state.(*model).clone()
	switch c.Name {
	case "create":
		m.create(c.Side, c.Bytes)
	case "accept":
		m.accept(c.Ref, c.Cancelled)
	case "refuse":
		m.refuse(c.Ref)
	case "consume":
		m.consume(c.Ref)
	case "corrupt":
		m.spoil(c.Ref, corrupted)
	case "lose":
		m.spoil(c.Ref, lost)
	case "clock":
		m.clock++
		m.expect = "later"
	case "stray":
		m.expect = "ignored"
	case "deliver":
		m.deliver(c.Side)
	case "sweep":
		m.expect = "[1000000000]"
	case "teardown":
		m.teardown(c.Side)
	case "crash":
		m.crash(c.Side)
	}
	return m
}

func (c command) Run(sut commands.SystemUnderTest) commands.Result {
	s := sut.(*history)
	var answer string
	reader := -1
	if c.Ref < len(s.from) {
		reader = 1 - s.from[c.Ref]
	}
	switch c.Name {
	case "create":
		if answer = s.create(c.Side, c.Bytes, payloadSeed); answer == "created" {
			s.from = append(s.from, c.Side)
		}
	case "accept":
		answer = s.accept(c.Ref, reader, c.Cancelled)
	case "refuse":
		answer = s.refuse(c.Ref, reader, c.Reason)
	case "consume":
		answer = s.consume(c.Ref, reader)
	case "corrupt":
		answer = s.spoil(c.Ref, corrupted)
	case "lose":
		answer = s.spoil(c.Ref, lost)
	case "clock":
		s.now = s.now.Add(tick * time.Millisecond)
		s.ask("refs.clock", toolchild.Fields{"advanceMs": tick}, nil)
		answer = "later"
	case "deliver":
		answer = s.deliver(c.Side)
	case "stray": // an answer for an id that nobody made
		message, err := toolchild.New(toolchild.RefAck, toolchild.Fields{"refId": "nobodys"})
		check(err)
		check(s.writer.Handle(message))
		check(s.peer.SendMessage(message))
		answer = "ignored"
	case "sweep":
		answer = s.sweep(c.Side)
	case "teardown":
		answer = s.teardown(c.Side)
	case "crash":
		answer = s.crash(c.Side)
	}
	s.answers.Store(c.Name+": "+answer, true)
	return s.snapshot(answer)
}

func (c command) PostCondition(state commands.State, result commands.Result) *gopter.PropResult {
	if diff := cmp.Diff(state.(*model).snapshot(), result.(snapshot)); diff != "" {
		return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{c.String() + ": (-model +seen)\n" + diff}}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

// A history is a run of a system from a clean state.
type history struct {
	*system
	from    []int
	answers *sync.Map // how each command was answered at least once
}

// settle delivers, answers and consumes whatever is open, after which no file is
// left and nobody owns anything.
func (h *history) settle() error {
	deliver := func() {
		for side := range h.mail {
			for len(h.mail[side]) > 0 {
				h.deliver(side)
			}
		}
		h.snapshot("") // the peer has taken them when it answers
	}
	deliver()
	for k, from := range h.from {
		if h.refs[k].Generation == h.generation {
			h.accept(k, 1-from, false)
			h.consume(k, 1-from)
		}
	}
	deliver()
	if diff := cmp.Diff(snapshot{}, h.snapshot("")); diff != "" {
		return fmt.Errorf("something is left at the end:\n%s", diff)
	}
	return nil
}

// A pool holds a system for each worker; they are used again and again.
type pool struct {
	idle                 chan *system
	histories, unsettled atomic.Int64
	answers              sync.Map
}

func newPool(t *testing.T, faults ...string) *pool {
	command, err := peer.Install(t.TempDir())
	require.NoError(t, err)
	p := &pool{idle: make(chan *system, runtime.GOMAXPROCS(0))}
	for range cap(p.idle) {
		s := &system{command: command, faults: faults, root: t.TempDir(), now: time.Unix(1_000_000, 0)}
		s.begin()
		t.Cleanup(func() { s.end() })
		p.idle <- s
	}
	return p
}

// check tries random histories.
func (p *pool) check(seed int64, histories int) *gopter.TestResult {
	property := commands.Prop(&commands.ProtoCommands{
		InitialStateGen: func(*gopter.GenParameters) *gopter.GenResult {
			return gopter.NewGenResult(&model{}, gopter.NoShrinker)
		},
		GenCommandFunc: func(state commands.State) gopter.Gen {
			return func(parameters *gopter.GenParameters) *gopter.GenResult {
				return gopter.NewGenResult(randomCommand(parameters.Rng, state.(*model)), gopter.NoShrinker)
			}
		},
		NewSystemUnderTestFunc: func(commands.State) commands.SystemUnderTest {
			p.histories.Add(1)
			s := <-p.idle
			s.refs = nil
			s.fresh()
			return &history{system: s, answers: &p.answers}
		},
		DestroySystemUnderTestFunc: func(sut commands.SystemUnderTest) {
			h := sut.(*history)
			defer func() { p.idle <- h.system }()
			if err := h.settle(); err != nil {
				// A history that went wrong is reported by itself; the next one begins anew.
				p.unsettled.Add(1)
				h.crash(here)
			}
		},
	})
	parameters := gopter.DefaultTestParametersWithSeed(seed)
	parameters.MinSuccessfulTests = histories
	parameters.Workers = cap(p.idle)
	parameters.MinSize, parameters.MaxSize = commandsInHistory, commandsInHistory
	return property.Check(parameters)
}

func variable(t *testing.T, name string, otherwise int64) int64 {
	set := os.Getenv(name)
	if set == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(set, 10, 64)
	require.NoError(t, err, name)
	return n
}

func TestHistories(t *testing.T) {
	seed := variable(t, seedVariable, time.Now().UnixNano())
	p := newPool(t)
	result := p.check(seed, int(variable(t, historiesVariable, 200)))
	require.True(t, result.Passed(), "%s=%d repeats the run\n%v", seedVariable, seed, result)
	require.Zero(t, p.unsettled.Load(), "histories ended with something left; %s=%d repeats the run", seedVariable, seed)
	for _, answer := range []string{
		"create: created", "create: ref_budget_exceeded", "accept: accepted", "accept: cancelled", "accept: budget", "accept: missing",
		"accept: corrupt", "accept: foreign", "consume: consumed", "consume: ref_not_owned", "consume: ref_rejected", "refuse: refused",
	} {
		_, came := p.answers.Load(answer)
		assert.True(t, came, "%s did not come up", answer)
	}
	t.Logf("%d histories of %d commands, seed %d", p.histories.Load(), commandsInHistory, seed)
}

// Histories differ from the model where a fault is planted in the peer.
func TestHistoriesFindFaults(t *testing.T) {
	for _, fault := range []string{"ack-deletes", "nack-keeps", "budget-off-by-one"} {
		t.Run(fault, func(t *testing.T) {
			p := newPool(t, fault)
			assert.True(t, !p.check(1, 100).Passed() || p.unsettled.Load() > 0)
		})
	}
}
