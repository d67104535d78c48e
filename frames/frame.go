package frames

import "phpwire/codec"

// Frame is one of the ten typed frames.
type Frame interface {
	// Tag returns the frame's tag.
	Tag() Tag
	// CorrID returns its correlation id.
	CorrID() uint64
	// appendFields writes the payload.
	appendFields(w *fieldWriter)
}

// CallFunction asks PHP to call a function (clause F-5).
type CallFunction struct {
	ID       uint64
	Function string
	Args     []codec.Value
	// OutParams are the positions in Args of the parameters that PHP takes by
	// reference and sends back.
	OutParams []int
}

// CallStaticMethod asks PHP to call a static method (clause F-6).
type CallStaticMethod struct {
	ID        uint64
	Class     string
	Method    string
	Args      []codec.Value
	OutParams []int
}

// NewObject asks PHP for an object (clause F-7).
type NewObject struct {
	ID    uint64
	Class string
	Args  []codec.Value
}

// CallPhpMethod asks PHP to call a method of an object that it owns (clause F-8).
type CallPhpMethod struct {
	ID        uint64
	Handle    int64
	Method    string
	Args      []codec.Value
	OutParams []int
}

// CallRustMethod asks the host to call a method of an object that it owns; handle
// 0 is its runtime service (clause F-9).
type CallRustMethod struct {
	ID        uint64
	Handle    int64
	Method    string
	Args      []codec.Value
	OutParams []int
}

// OutParam is a parameter by reference after the call.
type OutParam struct {
	Position int // in the arguments, counted from 0
	Value    codec.Value
}

// Return answers a call with its result (clause F-10).
type Return struct {
	ID        uint64
	Value     codec.Value
	OutParams []OutParam
}

// Throw answers a call with an exception (clause F-11).
type Throw struct {
	ID      uint64
	Class   string
	Message string
	Code    int64
	// Properties is the state beyond message and code, by property name.
	Properties []codec.Entry
}

// ReleaseRustHandle tells the host that PHP holds an object of its no longer
// (clause F-12).
type ReleaseRustHandle struct{ Handle int64 }

// ReleasePhpHandle tells PHP that the host holds an object of its no longer
// (clause F-13).
type ReleasePhpHandle struct{ Handle int64 }

// EpochBump tells PHP that the state of an object of the host has changed
// (clause F-14).
type EpochBump struct{ Handle, Epoch int64 }

func (CallFunction) Tag() Tag      { return TagCallFunction }
func (CallStaticMethod) Tag() Tag  { return TagCallStaticMethod }
func (NewObject) Tag() Tag         { return TagNewObject }
func (CallPhpMethod) Tag() Tag     { return TagCallPhpMethod }
func (CallRustMethod) Tag() Tag    { return TagCallRustMethod }
func (Return) Tag() Tag            { return TagReturn }
func (Throw) Tag() Tag             { return TagThrow }
func (ReleaseRustHandle) Tag() Tag { return TagReleaseRustHandle }
func (ReleasePhpHandle) Tag() Tag  { return TagReleasePhpHandle }
func (EpochBump) Tag() Tag         { return TagEpochBump }

func (f CallFunction) CorrID() uint64     { return f.ID }
func (f CallStaticMethod) CorrID() uint64 { return f.ID }
func (f NewObject) CorrID() uint64        { return f.ID }
func (f CallPhpMethod) CorrID() uint64    { return f.ID }
func (f CallRustMethod) CorrID() uint64   { return f.ID }
func (f Return) CorrID() uint64           { return f.ID }
func (f Throw) CorrID() uint64            { return f.ID }
func (ReleaseRustHandle) CorrID() uint64  { return 0 }
func (ReleasePhpHandle) CorrID() uint64   { return 0 }
func (EpochBump) CorrID() uint64          { return 0 }
