package main

import (
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"net/http"
	"regexp"
	"unicode/utf8"
)

const maxBody = 65_536

var whole = regexp.MustCompile(`^-?[0-9]+$`)

// optional are the keys that the body may have, and what their values must be.
var optional = []struct {
	key   string
	valid func(value any) bool
}{
	{"someKey", isString},
	{"someOtherKey", isNumber},
	{"nullableKey", func(v any) bool { return v == nil || isNumber(v) }},
	{"multipleTypesKey", func(v any) bool { return isBool(v) || isNumber(v) }},
	{"multipleRestrictedTypesKey", isShortOrLarge},
	{"enumKey", func(v any) bool { return v == "John" || v == "Foo" }},
}

type reply struct {
	Message string `json:"message"`
}

func schema(w http.ResponseWriter, r *http.Request) {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		http.Error(w, "not application/json", http.StatusUnsupportedMediaType)
		return
	}
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := validate(r, content); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	writeJSON(w, reply{"Hello, World"})
}

func validate(r *http.Request, content []byte) error {
	if r.Header.Values("X-Foo") == nil {
		return errors.New("no x-foo")
	}
	query := r.URL.Query()
	if query.Has("excitement") && !whole.MatchString(query.Get("excitement")) {
		return errors.New("bad excitement")
	}
	// Not a struct: its zero values could not tell a key that is null from one that is absent.
	var body map[string]any
	if err := json.Unmarshal(content, &body); err != nil {
		return err
	}
	if !isShortListOfIntegers(body["requiredKey"]) {
		return errors.New("bad requiredKey")
	}
	for _, rule := range optional {
		if value, ok := body[rule.key]; ok && !rule.valid(value) {
			return errors.New("bad " + rule.key)
		}
	}
	return nil
}

func isString(v any) bool { _, ok := v.(string); return ok }
func isNumber(v any) bool { _, ok := v.(float64); return ok }
func isBool(v any) bool   { _, ok := v.(bool); return ok }

func isShortListOfIntegers(v any) bool {
	list, ok := v.([]any)
	if !ok || len(list) > 3 {
		return false
	}
	for _, item := range list {
		if number, ok := item.(float64); !ok || number != math.Trunc(number) {
			return false
		}
	}
	return true
}

func isShortOrLarge(v any) bool {
	switch v := v.(type) {
	case string:
		return utf8.RuneCountInString(v) <= 5
	case float64:
		return v >= 10
	}
	return false
}
