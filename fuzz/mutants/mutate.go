package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// mutant is one small mistake: source[from:to] replaced.
type mutant struct {
	ID   string // the file, the function, the change, and which of those alike
	File string
	Line int
	What string // "< becomes <="
	from int
	to   int
	text string
}

// apply returns the source with the mistake in it.
func (m *mutant) apply(source []byte) []byte {
	return []byte(string(source[:m.from]) + m.text + string(source[m.to:]))
}

// mutantsOf lists the mutants of a package's folder, in the order of its source.
// Tests, generated files and tables are left out.
func mutantsOf(folder string) ([]mutant, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	sort.Strings(paths)
	var all []mutant
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, source, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if ast.IsGenerated(file) || ignored(file) {
			continue
		}
		f := finder{path: path, set: set, source: source, seen: map[string]int{}}
		for _, d := range file.Decls {
			f.function = ""
			if fn, ok := d.(*ast.FuncDecl); ok {
				f.function = fn.Name.Name
			}
			ast.Inspect(d, f.node)
		}
		all = append(all, f.found...)
	}
	return all, nil
}

// ignored tells whether a file is no part of the package (//go:build ignore).
func ignored(file *ast.File) bool {
	for _, group := range file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:build ignore") {
				return true
			}
		}
	}
	return false
}

// finder walks a file.
type finder struct {
	path     string
	set      *token.FileSet
	source   []byte
	function string
	found    []mutant
	seen     map[string]int
}

func (f *finder) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *finder) add(from, to int, text, what string) {
	id := fmt.Sprintf("%s %s: %s", f.path, f.function, what)
	if f.seen[id]++; f.seen[id] > 1 {
		id += fmt.Sprintf(" (%d)", f.seen[id])
	}
	line := 1 + strings.Count(string(f.source[:from]), "\n")
	f.found = append(f.found, mutant{ID: id, File: f.path, Line: line, What: what, from: from, to: to, text: text})
}

// operators says what becomes of each operator.
var operators = map[token.Token][]string{
	token.EQL: {"!="}, token.NEQ: {"=="}, token.LSS: {"<=", ">"}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<"}, token.GEQ: {">", "<"},
	token.ADD: {"-"}, token.SUB: {"+"}, token.MUL: {"/"}, token.QUO: {"*"}, token.REM: {"*"},
	token.AND: {"|"}, token.OR: {"&"}, token.XOR: {"&"}, token.SHL: {">>"}, token.SHR: {"<<"}, token.AND_NOT: {"&"},
	token.LAND: {"||"}, token.LOR: {"&&"},
}

var assignments = map[token.Token]string{
	token.ADD_ASSIGN: "-=", token.SUB_ASSIGN: "+=", token.MUL_ASSIGN: "/=", token.QUO_ASSIGN: "*=",
	token.AND_ASSIGN: "|=", token.OR_ASSIGN: "&=", token.SHL_ASSIGN: ">>=", token.SHR_ASSIGN: "<<=", token.AND_NOT_ASSIGN: "|=",
}

func (f *finder) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.Field:
		return false // tags and types
	case *ast.BinaryExpr:
		at := f.offset(n.OpPos)
		if isText(n.X) || isText(n.Y) { // joined for people to read
			return true
		}
		for _, other := range operators[n.Op] {
			f.add(at, at+len(n.Op.String()), other, n.Op.String()+" becomes "+other)
		}
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT {
			at := f.offset(n.OpPos)
			f.add(at, at+1, " ", n.Op.String()+" is left out")
		}
	case *ast.IncDecStmt:
		at := f.offset(n.TokPos)
		f.add(at, at+2, map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok], n.Tok.String()+" is turned around")
	case *ast.AssignStmt:
		at := f.offset(n.TokPos)
		if other, ok := assignments[n.Tok]; ok {
			f.add(at, at+len(n.Tok.String()), other, n.Tok.String()+" becomes "+other)
		}
		if n.Tok != token.DEFINE && len(n.Lhs) == 1 {
			f.add(f.offset(n.Pos()), at+len(n.Tok.String()), "_ =", f.brief(n)+" assigns nothing")
		}
	case *ast.ExprStmt:
		f.add(f.offset(n.Pos()), f.offset(n.End()), "", f.brief(n)+" is left out")
	case *ast.BranchStmt:
		if n.Label == nil && (n.Tok == token.BREAK || n.Tok == token.CONTINUE) {
			f.add(f.offset(n.Pos()), f.offset(n.End()), "", n.Tok.String()+" is left out")
		}
	case *ast.IfStmt:
		from, to := f.offset(n.Cond.Pos()), f.offset(n.Cond.End())
		f.add(from, to, "!("+string(f.source[from:to])+")", "if "+f.brief(n.Cond)+" is turned around")
	case *ast.Ident:
		if other, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			f.add(f.offset(n.Pos()), f.offset(n.End()), other, n.Name+" becomes "+other)
		}
	case *ast.BasicLit:
		f.literal(n)
	}
	return true
}

func (f *finder) literal(n *ast.BasicLit) {
	from, to := f.offset(n.Pos()), f.offset(n.End())
	switch n.Kind {
	case token.INT:
		f.add(from, to, "("+n.Value+"+1)", n.Value+" becomes one more")
		if v, err := strconv.ParseUint(n.Value, 0, 64); err == nil && v > 0 {
			f.add(from, to, "("+n.Value+"-1)", n.Value+" becomes one less")
		}
	case token.CHAR:
		f.add(from, to, "("+n.Value+"+1)", n.Value+" becomes the next byte")
	case token.STRING:
		// The wire's own words: texts for people are longer, and have spaces.
		if text, err := strconv.Unquote(n.Value); err == nil && text != "" && len(text) <= 24 && !strings.Contains(text, " ") {
			f.add(from, to, strconv.Quote(text[:len(text)-1]), n.Value+" loses its last byte")
		}
	}
}

func isText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// brief is the source of a node, in a few words.
func (f *finder) brief(n ast.Node) string {
	const most = 40
	text := strings.Join(strings.Fields(string(f.source[f.offset(n.Pos()):f.offset(n.End())])), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
