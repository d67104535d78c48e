package main

import (
	"fmt"
	"go/ast"
	"strings"
)

// A schema is a file with all its mutants in it: of each function there is the
// original and a copy with each mistake, and what was the function asks which
// mutant is switched on. The bodies are the source's own, so a mutant does what
// it would do if it were built alone.

// activePath and activeName are the package that knows which one is.
const (
	activePath = "phpwire/fuzz/mutants/active"
	activeName = "active__"
)

// span is where the copy of a mutant stands in a schema, in lines.
type span struct {
	from, to int
	mutant   *mutant
}

// schema writes the file. Mutants without a number are left out.
func (f *sourceFile) schema() (text []byte, spans []span) {
	w := &schemaWriter{sourceFile: f}
	at := 0
	for _, d := range f.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			some := f.numbered(d)
			if len(some) == 0 || d.Body == nil {
				continue
			}
			w.add(string(f.source[at:f.offset(d.Pos())]))
			at = f.offset(d.End())
			w.function(d, some)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if v, ok := s.(*ast.ValueSpec); ok {
					w.variable(v, f.numbered(v))
					w.pool(v)
				}
			}
		}
	}
	w.add(string(f.source[at:]) + "\n")
	if len(w.spans) > 0 || len(w.later) > 0 {
		for _, piece := range w.later {
			piece()
		}
		// After the package clause, on its line: the lines stay as they are.
		name := f.offset(f.file.Name.End())
		head := fmt.Sprintf("; import %s %q", activeName, activePath)
		return []byte(w.b.String()[:name] + head + w.b.String()[name:]), w.spans
	}
	return f.source, nil
}

func (f *sourceFile) numbered(decl ast.Node) (some []*mutant) {
	for _, m := range f.mutants {
		if m.decl == decl && m.number > 0 {
			some = append(some, m)
		}
	}
	return some
}

type schemaWriter struct {
	*sourceFile
	b     strings.Builder
	lines int
	spans []span
	later []func() // what comes at the end of the file
}

func (w *schemaWriter) add(text string) {
	w.b.WriteString(text)
	w.lines += strings.Count(text, "\n")
}

// copied adds the copy of a mutant.
func (w *schemaWriter) copied(m *mutant, text string) {
	from := w.lines + 1
	w.add(text)
	w.spans = append(w.spans, span{from, w.lines + 1, m})
	w.add("\n")
}

func copyName(name string, number int) string { return fmt.Sprintf("%s__%d", name, number) }

func (w *schemaWriter) function(d *ast.FuncDecl, some []*mutant) {
	s := w.signature(d)
	w.add(s.head + " {\n")
	first, last := some[0].number, some[len(some)-1].number
	w.add(fmt.Sprintf("if n__ := %s.Number; n__ >= %d && n__ <= %d {\nswitch n__ {\n", activeName, first, last))
	w.later = append(w.later, func() {
		w.add(fmt.Sprintf("var function__%d = %s.NewFunction(%d, %d)\n", first, activeName, first, last))
	})
	for _, m := range some {
		w.add(fmt.Sprintf("case %d: %s\n", m.number, s.call(m.number)))
		if !s.results {
			w.add("return\n")
		}
	}
	w.add(fmt.Sprintf("}\n} else if n__ == %s.Recording {\nfunction__%d.Called = true\n}\n%s\n}\n\n", activeName, first, s.call(0)))
	name, end := w.offset(d.Name.Pos()), w.offset(d.End())
	start, after := w.offset(d.Pos()), w.offset(d.Name.End())
	before := string(w.source[start:name])
	w.add(before + copyName(d.Name.Name, 0) + string(w.source[after:end]) + "\n\n")
	for _, m := range some {
		w.copied(m, before+copyName(d.Name.Name, m.number)+m.within(w.source, after, end)+"\n")
	}
}

// variable has a variable take another value where a mutant of it is switched on.
func (w *schemaWriter) variable(s *ast.ValueSpec, some []*mutant) {
	if len(some) == 0 {
		return
	}
	w.later = append(w.later, func() {
		name, value := s.Names[0].Name, s.Values[0]
		from, to := w.offset(value.Pos()), w.offset(value.End())
		w.add(fmt.Sprintf("func init() { %s.Each(func() {\nswitch %s.Number {\n", activeName, activeName))
		for _, m := range some {
			w.copied(m, fmt.Sprintf("case %d: %s = %s\n", m.number, name, m.within(w.source, from, to)))
		}
		w.add(fmt.Sprintf("default: %s = %s\n}\n}) }\n", name, w.text(value)))
	})
}

// pool has a pool begin anew with each mutant, so that none finds what another
// left there.
func (w *schemaWriter) pool(s *ast.ValueSpec) {
	if len(s.Names) != 1 || len(s.Values) != 1 || !strings.HasPrefix(w.text(s.Values[0]), "sync.Pool{") {
		return
	}
	w.later = append(w.later, func() {
		w.add(fmt.Sprintf("func init() { %s.Each(func() { %s = %s }) }\n", activeName, s.Names[0].Name, w.text(s.Values[0])))
	})
}

// signature is what a function that calls the copies needs.
type signature struct {
	head    string // "func (v Value) Get(k Key) (Value, bool)"
	callee  string // "v.Get%s"
	args    string
	results bool
}

func (s *signature) call(number int) string {
	call := fmt.Sprintf(s.callee, fmt.Sprintf("__%d", number)) + "(" + s.args + ")"
	if s.results {
		return "return " + call
	}
	return call
}

func (w *schemaWriter) signature(d *ast.FuncDecl) *signature {
	s := &signature{callee: d.Name.Name + "%s"}
	head := "func "
	if d.Recv != nil {
		r := d.Recv.List[0]
		name := "r__"
		if len(r.Names) > 0 && r.Names[0].Name != "_" {
			name = r.Names[0].Name
		}
		head += "(" + name + " " + w.text(r.Type) + ") "
		s.callee = name + "." + s.callee
	}
	head += d.Name.Name
	if p := d.Type.TypeParams; p != nil {
		head += w.text(p)
		var names []string
		for _, field := range p.List {
			for _, n := range field.Names {
				names = append(names, n.Name)
			}
		}
		s.callee += "[" + strings.Join(names, ", ") + "]"
	}
	var params, args []string
	param := func(name string, t ast.Expr) {
		params = append(params, name+" "+w.text(t))
		if _, variadic := t.(*ast.Ellipsis); variadic {
			name += "..."
		}
		args = append(args, name)
	}
	for _, field := range d.Type.Params.List {
		for _, n := range field.Names {
			name := n.Name
			if name == "_" {
				name = fmt.Sprintf("p__%d", len(params))
			}
			param(name, field.Type)
		}
		if len(field.Names) == 0 {
			param(fmt.Sprintf("p__%d", len(params)), field.Type)
		}
	}
	head += "(" + strings.Join(params, ", ") + ")"
	s.args = strings.Join(args, ", ")
	if r := d.Type.Results; r != nil && len(r.List) > 0 {
		s.results = true
		head += " " + w.text(r)
	}
	s.head = head
	return s
}
