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

// mutant is one small mistake: source[from:to] of a declaration replaced.
type mutant struct {
	// ID is the file, the function, the expression or statement, the change, and
	// which of those alike: it survives edits elsewhere.
	ID     string
	File   string
	Line   int
	Column int
	What   string // "< becomes <="
	// function is the name of the function, variable or constant.
	function string
	from     int
	to       int
	text     string
	decl     ast.Node // the function or the variable that it is in; nil for what must be built by itself
	number   int      // in the process, from 1 on; 0 for what must be built by itself
	settled  bool     // nothing is asked about it
}

// apply returns the source with the mistake in it.
func (m *mutant) apply(source []byte) []byte { return []byte(m.within(source, 0, len(source))) }

// within is apply for source[from:to].
func (m *mutant) within(source []byte, from, to int) string {
	return string(source[from:m.from]) + m.text + string(source[m.to:to])
}

// sourceFile is a file with its mutants.
type sourceFile struct {
	path    string
	set     *token.FileSet
	file    *ast.File
	source  []byte
	mutants []*mutant
}

func (f *sourceFile) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *sourceFile) text(n ast.Node) string {
	return string(f.source[f.offset(n.Pos()):f.offset(n.End())])
}

// filesOf reads a package's folder. Tests, generated files and tables are left
// out.
func filesOf(folder string) ([]*sourceFile, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	sort.Strings(paths)
	var all []*sourceFile
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		f := &sourceFile{path: path, set: token.NewFileSet(), source: source}
		if f.file, err = parser.ParseFile(f.set, path, source, parser.ParseComments); err != nil {
			return nil, err
		}
		if ast.IsGenerated(f.file) || ignored(f.file) {
			continue
		}
		f.find()
		all = append(all, f)
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

func (f *sourceFile) find() {
	finder := finder{sourceFile: f, seen: map[string]int{}}
	for _, d := range f.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			finder.walk(nameOf(d), d, d)
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.ValueSpec:
					var within ast.Node
					if d.Tok == token.VAR && len(s.Names) == 1 && len(s.Values) == 1 {
						within = s
					}
					finder.walk(s.Names[0].Name, within, s)
				case *ast.TypeSpec:
					finder.walk(s.Name.Name, nil, s)
				}
			}
		}
	}
}

// nameOf is a function's name, with its receiver's type before it.
func nameOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.Ident:
			return x.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}

// finder walks a file.
type finder struct {
	*sourceFile
	function string
	decl     ast.Node
	above    []ast.Node // from the declaration down to the node
	seen     map[string]int
}

func (f *finder) walk(function string, decl, root ast.Node) {
	f.function, f.decl = function, decl
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			f.above = f.above[:len(f.above)-1]
			return true
		}
		f.above = append(f.above, n)
		if f.node(n) {
			return true
		}
		f.above = f.above[:len(f.above)-1]
		return false
	})
}

// add notes a mutant that is shown as a part of the given node.
func (f *finder) add(shown ast.Node, from, to int, text, what string) {
	id := fmt.Sprintf("%s %s: ", f.path, f.function)
	if shown != nil {
		id += f.brief(shown) + ": "
	}
	id += what
	if f.seen[id]++; f.seen[id] > 1 {
		id += fmt.Sprintf(" (%d)", f.seen[id])
	}
	before := string(f.source[:from])
	f.mutants = append(f.mutants, &mutant{
		ID: id, File: f.path, Line: 1 + strings.Count(before, "\n"), Column: from - strings.LastIndexByte(before, '\n'),
		What: what, function: f.function, from: from, to: to, text: text, decl: f.decl,
	})
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
			f.add(n, at, at+len(n.Op.String()), other, n.Op.String()+" becomes "+other)
		}
	case *ast.UnaryExpr:
		if n.Op == token.SUB || n.Op == token.NOT {
			at := f.offset(n.OpPos)
			f.add(n, at, at+1, " ", n.Op.String()+" is left out")
		}
	case *ast.IncDecStmt:
		at := f.offset(n.TokPos)
		f.add(n, at, at+2, map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok], n.Tok.String()+" is turned around")
	case *ast.AssignStmt:
		at := f.offset(n.TokPos)
		if other, ok := assignments[n.Tok]; ok {
			f.add(n, at, at+len(n.Tok.String()), other, n.Tok.String()+" becomes "+other)
		}
		if n.Tok != token.DEFINE && len(n.Lhs) == 1 {
			f.add(n, f.offset(n.Pos()), at+len(n.Tok.String()), "_ =", "assigns nothing")
		}
	case *ast.ExprStmt:
		f.add(n, f.offset(n.Pos()), f.offset(n.End()), "", "is left out")
	case *ast.BranchStmt:
		if n.Label == nil && (n.Tok == token.BREAK || n.Tok == token.CONTINUE) {
			f.add(nil, f.offset(n.Pos()), f.offset(n.End()), "", n.Tok.String()+" is left out")
		}
	case *ast.IfStmt:
		from, to := f.offset(n.Cond.Pos()), f.offset(n.Cond.End())
		f.add(n.Cond, from, to, "!("+string(f.source[from:to])+")", "if is turned around")
	case *ast.Ident:
		if other, ok := map[string]string{"true": "false", "false": "true"}[n.Name]; ok {
			f.add(f.around(), f.offset(n.Pos()), f.offset(n.End()), other, n.Name+" becomes "+other)
		}
	case *ast.BasicLit:
		f.literal(n)
	}
	return true
}

// around is the expression or statement that the node is a part of.
func (f *finder) around() ast.Node {
	if len(f.above) < 2 {
		return nil
	}
	n := f.above[len(f.above)-2]
	switch n.(type) {
	case ast.Expr, *ast.AssignStmt, *ast.ReturnStmt:
		return n
	}
	return nil
}

func (f *finder) literal(n *ast.BasicLit) {
	from, to, shown := f.offset(n.Pos()), f.offset(n.End()), f.around()
	switch n.Kind {
	case token.INT:
		f.add(shown, from, to, "("+n.Value+"+1)", n.Value+" becomes one more")
		if v, err := strconv.ParseUint(n.Value, 0, 64); err == nil && v > 0 {
			f.add(shown, from, to, "("+n.Value+"-1)", n.Value+" becomes one less")
		}
	case token.FLOAT:
		f.add(shown, from, to, "("+n.Value+"*2)", n.Value+" is doubled")
	case token.CHAR:
		f.add(shown, from, to, "("+n.Value+"+1)", n.Value+" becomes the next byte")
	case token.STRING:
		// The wire's own words: texts for people are longer, and have spaces.
		if text, err := strconv.Unquote(n.Value); err == nil && text != "" && len(text) <= 24 && !strings.Contains(text, " ") {
			f.add(shown, from, to, strconv.Quote(text[:len(text)-1]), n.Value+" loses its last byte")
		}
	}
}

func isText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && lit.Kind == token.STRING
}

// brief is the source of a node, in a few words.
func (f *finder) brief(n ast.Node) string {
	const most = 60
	text := strings.Join(strings.Fields(f.text(n)), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
