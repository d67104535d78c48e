package oracle

import (
	"context"
	"fmt"
	"sync"

	"phpwire/codec"
)

// Method is a method of an object of the host, or a service of handle 0.
type Method func(ctx context.Context, s *Session, call Call) (Reply, error)

// Object is an object of the host that PHP may get a handle of.
type Object struct {
	// Class is the class whose stub stands for it in PHP; it stays while the
	// object is registered (clause O-3).
	Class string
	// Methods are what PHP may call, by name, letters as PHP writes them.
	Methods map[string]Method
	// Snapshot, where there is one, gives the results of methods without arguments
	// that travel with the handle (clause O-6). It must not call PHP.
	Snapshot func() []codec.Entry
	// Released, where there is one, is told when PHP holds the object no longer.
	Released func()
	// Keep leaves the object registered when PHP lets go of it, for objects that
	// go to PHP again and again. Without it a released object is forgotten: when
	// the next outermost call begins or the session ends, since replies until then
	// may still name it.
	Keep bool
}

// FindFile gives the file that holds a PHP class, and whether there is one: the
// service __shirabe_find_file (clause C-6).
type FindFile func(ctx context.Context, class string) (path string, ok bool, err error)

// serviceFindFile is the service's name on the wire.
const serviceFindFile = "__shirabe_find_file"

// Objects is a [Dispatcher]: a registry of objects of the host by handle, and the
// runtime service behind handle 0. It is safe for concurrent use, and serves one
// client.
type Objects struct {
	mu       sync.Mutex
	services map[string]Method
	objects  map[int64]*registered
	released []int64 // since the last time that all was settled
	last     int64
}

type registered struct {
	Object
	epoch int64
	held  bool // a descriptor went out, and no release came since
}

// NewObjects returns an empty registry. Without find, PHP is told that no class
// has a file.
func NewObjects(find FindFile) *Objects {
	o := &Objects{services: map[string]Method{}, objects: map[int64]*registered{}}
	o.Serve(serviceFindFile, func(ctx context.Context, _ *Session, call Call) (Reply, error) {
		if len(call.Args) != 1 {
			return Reply{}, fmt.Errorf("%s takes one argument, it got %d", serviceFindFile, len(call.Args))
		}
		class, ok := call.Args[0].Text()
		if !ok {
			return Reply{}, fmt.Errorf("%s takes the name of a class, it got %v", serviceFindFile, call.Args[0])
		}
		if find == nil {
			return Reply{}, nil
		}
		path, ok, err := find(ctx, class)
		if err != nil || !ok {
			return Reply{}, err
		}
		return Reply{Value: codec.String(path)}, nil
	})
	return o
}

// Serve adds a method of handle 0, or replaces it.
func (o *Objects) Serve(name string, m Method) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.services[name] = m
}

// Add registers an object and returns its handle, 1 or more. Numbers are not used
// again.
func (o *Objects) Add(object Object) int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last++
	o.objects[o.last] = &registered{Object: object, epoch: 1}
	return o.last
}

// Remove forgets an object, whether PHP holds it or not: calls of it are Throws
// from then on.
func (o *Objects) Remove(handle int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.objects, handle)
}

// Len returns the number of registered objects, Held how many of them PHP holds.
func (o *Objects) Len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.objects)
}

// Held returns how many of the registered objects PHP holds.
func (o *Objects) Held() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for _, r := range o.objects {
		if r.held {
			n++
		}
	}
	return n
}

// Descriptor gives the value that stands for an object on the wire, with its
// epoch and its snapshot. From then on PHP counts as holding it. It is an error
// where the object is not registered.
func (o *Objects) Descriptor(handle int64) (codec.Value, error) {
	o.mu.Lock()
	r := o.objects[handle]
	o.mu.Unlock()
	if r == nil {
		return codec.Value{}, unknownObject(handle)
	}
	var snapshot *codec.Value
	if r.Snapshot != nil { // outside of the lock: it is the owner's code
		s := codec.Array(r.Snapshot()...)
		snapshot = &s
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	r.held = true
	return codec.NewRustHandle(codec.RustHandle{ID: handle, Class: r.Class, Epoch: r.epoch, Snapshot: snapshot}), nil
}

// Changed raises the epoch of an object, whose state has changed, and tells PHP
// if it holds it: what PHP remembers of it no longer holds (clause O-5).
func (o *Objects) Changed(ctx context.Context, s *Session, handle int64) error {
	o.mu.Lock()
	r := o.objects[handle]
	if r == nil {
		o.mu.Unlock()
		return unknownObject(handle)
	}
	r.epoch++
	epoch, held := r.epoch, r.held
	o.mu.Unlock()
	if !held {
		return nil
	}
	return s.BumpEpoch(ctx, handle, epoch)
}

// CallRustMethod implements [Dispatcher].
func (o *Objects) CallRustMethod(ctx context.Context, s *Session, handle int64, call Call) (Reply, error) {
	o.mu.Lock()
	var m Method
	what := fmt.Sprintf("the runtime service has no %s", call.Name)
	if handle == 0 {
		m = o.services[call.Name]
	} else if r := o.objects[handle]; r == nil {
		what = unknownObject(handle).Error()
	} else {
		r.held = true // PHP holds it, if a release crossed a descriptor
		m = r.Methods[call.Name]
		what = fmt.Sprintf("%s (object %d of the host) has no method %s", r.Class, handle, call.Name)
	}
	o.mu.Unlock()
	if m == nil {
		return Reply{}, &Throw{Class: "BadMethodCallException", Message: what}
	}
	return m(ctx, s, call)
}

// ReleaseRustHandle implements [Dispatcher].
func (o *Objects) ReleaseRustHandle(handle int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if r := o.objects[handle]; r != nil && r.held {
		r.held = false
		o.released = append(o.released, handle)
	}
}

// Settled implements [Observer].
func (o *Objects) Settled() {
	o.mu.Lock()
	var tell []func()
	for _, handle := range o.released {
		r := o.objects[handle]
		if r == nil || r.held {
			continue // it went to PHP again
		}
		if !r.Keep {
			delete(o.objects, handle)
		}
		if r.Released != nil {
			tell = append(tell, r.Released)
		}
	}
	o.released = nil
	o.mu.Unlock()
	for _, released := range tell {
		released()
	}
}

// ChildGone implements [Observer]: what the child held is released.
func (o *Objects) ChildGone() {
	o.mu.Lock()
	for handle, r := range o.objects {
		if r.held {
			r.held = false
			o.released = append(o.released, handle)
		}
	}
	o.mu.Unlock()
	o.Settled()
}

func unknownObject(handle int64) error {
	return fmt.Errorf("object %d of the host is unknown or was released", handle)
}
