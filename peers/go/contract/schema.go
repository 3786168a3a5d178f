package contract

import (
	"encoding/json"
	"math"
	"mime"
	"net/http"
	"regexp"
	"unicode/utf8"
)

// MostJSON is how many bytes the body of /schema has at most.
const MostJSON = 65_536

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

// Reply is what /schema answers.
type Reply struct {
	Message string `json:"message"`
}

// CheckHead looks at the header fields of a request to /schema.
func CheckHead(contentType string, hasFoo bool) error {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil || mediaType != "application/json" {
		return Refused{http.StatusUnsupportedMediaType, "not application/json"}
	}
	if !hasFoo {
		return bad("x-foo: there is none")
	}
	return nil
}

// CheckQuery looks at the parameter that is held to something.
func CheckQuery(query Query) error {
	value, isThere := query("excitement")
	if isThere && !whole.MatchString(value) {
		return bad("excitement")
	}
	return nil
}

// Validate looks at the body. It is read to no struct, since zero values could not tell a key that
// is null from one that is absent.
func Validate(content []byte) (Reply, error) {
	if len(content) > MostJSON {
		return Reply{}, Refused{http.StatusRequestEntityTooLarge, "the body is too large"}
	}
	var body map[string]any
	if err := json.Unmarshal(content, &body); err != nil {
		return Reply{}, bad("JSON: " + err.Error())
	}
	if !isShortListOfIntegers(body["requiredKey"]) {
		return Reply{}, bad("requiredKey")
	}
	for _, rule := range optional {
		if value, ok := body[rule.key]; ok && !rule.valid(value) {
			return Reply{}, bad(rule.key)
		}
	}
	return Reply{"Hello, World"}, nil
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
