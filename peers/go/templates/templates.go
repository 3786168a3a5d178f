// Package templates holds the pages, for html/template.
package templates

import "embed"

// Fortunes is the name of the page of /fortunes.
const Fortunes = "fortunes.html"

//go:embed *.html
var Files embed.FS
