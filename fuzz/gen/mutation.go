package gen

import (
	"math/rand"

	"phpwire/codec"
)

// Mutation is a kind of change to a payload.
type Mutation uint8

// The changes that [Mutate] makes.
const (
	CountChanged     Mutation = iota // of the elements of an array: by one, or to something huge
	LengthChanged                    // of a string: by one, or to something huge
	SignChanged                      // of any number: + or - put in, taken out, doubled
	ZerosAdded                       // before or behind a number
	IntChanged                       // to an edge, or past it
	FloatRespelled                   // .5 5. 1e5 1E+5 +1.5 1.500 INF and what looks like it
	KeyRetyped                       // int key to string key, or to what no key can be
	KeyRespelled                     // to a text that PHP is particular about
	KeyRepeated                      // in the same array, also in another spelling
	TextChanged                      // bytes of a string, mostly with its length
	TerminatorBroken                 // one of : ; " { } replaced, removed or doubled
	TagChanged                       // the letter that says what follows
	TokenRemoved                     // and nothing else
	TokenDoubled                     // and nothing else
	TokensSwapped                    // two of them
	TokenInserted                    // where none was
	ElementRemoved                   // with the count
	ElementDoubled                   // with the count
	ElementsSwapped                  // two of one array
	Spliced                          // with another payload
	Nested                           // one array more or one less around a value
	Truncated                        // at some place
	TrailingAdded                    // after the end
	UnsupportedUsed                  // one of O C E r R S in the place of a value
	ReservedUsed                     // a handle, or nearly one, in the place of a value
	ByteChanged                      // any byte replaced, removed or put in
	mutationCount
)

var mutationNames = [...]string{
	CountChanged: "count changed", LengthChanged: "length changed", SignChanged: "sign changed", ZerosAdded: "zeros added",
	IntChanged: "int changed", FloatRespelled: "float respelled", KeyRetyped: "key retyped", KeyRespelled: "key respelled",
	KeyRepeated: "key repeated", TextChanged: "text changed", TerminatorBroken: "terminator broken", TagChanged: "tag changed",
	TokenRemoved: "token removed", TokenDoubled: "token doubled", TokensSwapped: "tokens swapped", TokenInserted: "token inserted",
	ElementRemoved: "element removed", ElementDoubled: "element doubled", ElementsSwapped: "elements swapped", Spliced: "spliced",
	Nested: "nested", Truncated: "truncated", TrailingAdded: "trailing added", UnsupportedUsed: "unsupported used",
	ReservedUsed: "reserved used", ByteChanged: "byte changed",
}

func (m Mutation) String() string {
	if int(m) < len(mutationNames) {
		return mutationNames[m]
	}
	return "unknown"
}

// Mutations lists every kind of change.
func Mutations() []Mutation {
	all := make([]Mutation, mutationCount)
	for i := range all {
		all[i] = Mutation(i)
	}
	return all
}

// mutations says how often each change is drawn, and makes it. A change that
// needs what the payload does not have returns nil.
var mutations = [mutationCount]struct {
	weight int
	apply  func(*mutator) []byte
}{
	CountChanged:     {5, (*mutator).changeCount},
	LengthChanged:    {5, (*mutator).changeLength},
	SignChanged:      {5, (*mutator).changeSign},
	ZerosAdded:       {5, (*mutator).addZeros},
	IntChanged:       {5, (*mutator).changeInt},
	FloatRespelled:   {10, (*mutator).respellFloat},
	KeyRetyped:       {5, (*mutator).retypeKey},
	KeyRespelled:     {8, (*mutator).respellKey},
	KeyRepeated:      {6, (*mutator).repeatKey},
	TextChanged:      {5, (*mutator).changeText},
	TerminatorBroken: {5, (*mutator).breakTerminator},
	TagChanged:       {5, (*mutator).changeTag},
	TokenRemoved:     {2, (*mutator).removeToken},
	TokenDoubled:     {2, (*mutator).doubleToken},
	TokensSwapped:    {3, (*mutator).swapTokens},
	TokenInserted:    {2, (*mutator).insertToken},
	ElementRemoved:   {3, (*mutator).removeElement},
	ElementDoubled:   {3, (*mutator).doubleElement},
	ElementsSwapped:  {4, (*mutator).swapElements},
	Spliced:          {5, (*mutator).splice},
	Nested:           {5, (*mutator).nest},
	Truncated:        {2, (*mutator).truncate},
	TrailingAdded:    {2, (*mutator).addTrailing},
	UnsupportedUsed:  {3, (*mutator).useUnsupported},
	ReservedUsed:     {8, (*mutator).useReserved},
	ByteChanged:      {4, (*mutator).changeByte},
}

// mutationSums are the running sums of the weights.
var mutationSums = func() []int {
	sums := make([]int, mutationCount)
	total := 0
	for i := range mutations {
		total += mutations[i].weight
		sums[i] = total
	}
	return sums
}()

// Mutator draws mutants of one payload, which it takes apart once. It is not safe
// for concurrent use.
type Mutator struct{ payload }

// NewMutator returns a mutator of payload, which may be any bytes and must not be
// changed while the mutator is in use. It takes time linear in the payload.
func NewMutator(payload []byte) *Mutator {
	m := new(Mutator)
	m.payload.takeApart(payload)
	return m
}

// Mutate returns the payload after one change. The result shares no memory with
// it.
func (m *Mutator) Mutate(r *rand.Rand) []byte {
	out, _ := m.payload.mutate(r)
	return out
}

// MutateWith returns the payload after one change of the given kind, or nil where
// the payload has nothing to which that can be done.
func (m *Mutator) MutateWith(r *rand.Rand, kind Mutation) []byte {
	if kind >= mutationCount {
		return nil
	}
	return mutations[kind].apply(&mutator{r: r, payload: &m.payload})
}

func (p *payload) mutate(r *rand.Rand) ([]byte, Mutation) {
	m := mutator{r: r, payload: p}
	for range 8 {
		kind := Mutation(weighted(r, mutationSums))
		if out := mutations[kind].apply(&m); out != nil {
			return out, kind
		}
	}
	return m.changeByte(), ByteChanged
}

// Mutate returns payload after one change. The payload may be any bytes; it is
// not changed itself, and the result shares no memory with it. It takes time
// linear in the payload.
func Mutate(r *rand.Rand, payload []byte) []byte {
	out, _ := MutateNamed(r, payload)
	return out
}

// MutateNamed is [Mutate], and tells which change it was. The result may be the
// same bytes where the change had no effect (two equal elements swapped).
func MutateNamed(r *rand.Rand, payload []byte) ([]byte, Mutation) {
	p := takeApart(payload)
	defer p.release()
	return p.mutate(r)
}

// MutateWith returns payload after one change of the given kind, or nil where the
// payload has nothing to which that can be done.
func MutateWith(r *rand.Rand, payload []byte, kind Mutation) []byte {
	return NewMutator(payload).MutateWith(r, kind)
}

// RandomPayload draws the bytes of a payload, mostly almost valid ones: a small
// value is encoded and mostly one thing changed, sometimes nothing, or up to
// three things. About half of them are valid.
func RandomPayload(r *rand.Rand) []byte {
	b := RandomValidPayload(r)
	changes := 1
	switch r.Intn(16) {
	case 0, 1:
		changes = 0
	case 2, 3:
		changes = 2
	case 4:
		changes = 3
	}
	for range changes {
		b = Mutate(r, b)
	}
	return b
}

// RandomValidPayload draws the payload of a small value, rarely of one with up to
// a few hundred elements, or at the limit of depth.
func RandomValidPayload(r *rand.Rand) []byte {
	o := Options{MaxNodes: 1 + r.Intn(12)}
	switch r.Intn(64) {
	case 0:
		o.MaxNodes = 300
	case 1:
		if oneIn(r, 4) {
			o.MaxNodes = 600
		}
	}
	b, err := codec.Encode(RandomValue(r, o))
	if err != nil {
		// RandomValue promises that it cannot be.
		panic(err)
	}
	return b
}
