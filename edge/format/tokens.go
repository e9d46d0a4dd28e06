package format

import (
	"bytes"
	"strings"
)

// A token is a word of GML or DOT, or a sign between words.
type token struct {
	text   string
	quoted bool // it is a word, whatever its text
}

// is tells whether a token is a sign or a word of the language.
func (t token) is(sign string) bool { return !t.quoted && t.text == sign }

// maxToken bounds how long a word may be.
const maxToken = 1 << 20

// token returns the next word or sign. dot knows the comments and arrows of DOT.
func (d *document) token(dot bool) (token, error) {
	c, err := d.skipToToken(dot)
	if err != nil {
		return token{}, err
	}
	switch {
	case c == '"':
		return d.quotedToken(dot)
	case c == '<' && dot:
		return d.htmlToken()
	case strings.IndexByte("[]{};,=:", c) >= 0:
		return token{text: string(rune(c))}, nil
	case c == '-' && dot:
		next, _ := d.in.Peek(1)
		if len(next) > 0 && (next[0] == '-' || next[0] == '>') {
			_, _ = d.in.Discard(1)
			return token{text: "-" + string(next)}, nil
		}
	}
	word := []byte{c}
	for len(word) < maxToken {
		next, _ := d.in.Peek(2)
		if len(next) == 0 || bytes.IndexByte([]byte(" \t\r\n[]{};,=:\"<#"), next[0]) >= 0 || dot && next[0] == '-' && len(next) > 1 && (next[1] == '-' || next[1] == '>') {
			return token{text: string(word)}, nil
		}
		word = append(word, next[0])
		_, _ = d.in.Discard(1)
	}
	return token{}, d.wrong("a word of more than %d bytes", maxToken)
}

// skipToToken returns the first byte after white space and comments.
func (d *document) skipToToken(dot bool) (byte, error) {
	for {
		c, err := d.in.ReadByte()
		if err != nil {
			return 0, err
		}
		next, _ := d.in.Peek(1)
		switch {
		case c == '\n':
			d.line++
		case isBlank(c):
		case c == '#' || dot && c == '/' && len(next) > 0 && next[0] == '/':
			if err := d.skipPast("\n"); err != nil {
				return 0, err
			}
		case dot && c == '/' && len(next) > 0 && next[0] == '*':
			if err := d.skipPast("*/"); err != nil {
				return 0, err
			}
		default:
			return c, nil
		}
	}
}

// skipPast reads up to the end of a comment.
func (d *document) skipPast(end string) error {
	var last byte
	for {
		c, err := d.in.ReadByte()
		if err != nil {
			return err
		}
		if c == '\n' {
			d.line++
		}
		if len(end) == 1 && c == end[0] || len(end) == 2 && last == end[0] && c == end[1] {
			return nil
		}
		last = c
	}
}

// quotedToken reads what follows a quote, up to the next. In DOT a backslash before a
// quote makes it part of the word.
func (d *document) quotedToken(dot bool) (token, error) {
	var word []byte
	for len(word) < maxToken {
		c, err := d.in.ReadByte()
		if err != nil {
			return token{}, d.wrong("a quote is not closed")
		}
		switch {
		case c == '"':
			return token{string(word), true}, nil
		case c == '\n':
			d.line++
		case c == '\\' && dot:
			if next, _ := d.in.Peek(1); len(next) > 0 && next[0] == '"' {
				_, _ = d.in.Discard(1)
				c = '"'
			}
		}
		word = append(word, c)
	}
	return token{}, d.wrong("a word of more than %d bytes", maxToken)
}

// htmlToken reads a label in angle brackets, which may be nested.
func (d *document) htmlToken() (token, error) {
	word := []byte{'<'}
	for depth := 1; depth > 0; {
		c, err := d.in.ReadByte()
		if err != nil || len(word) > maxToken {
			return token{}, d.wrong("a label in angle brackets is not closed")
		}
		switch c {
		case '<':
			depth++
		case '>':
			depth--
		case '\n':
			d.line++
		}
		word = append(word, c)
	}
	return token{string(word), true}, nil
}
