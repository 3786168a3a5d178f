package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

const dateFormat = "Mon, 02 Jan 2006 15:04:05 GMT"

var errBadRequest = errors.New("bad request")

type request struct {
	method, target string
	close          bool
}

type answer struct {
	status, contentType string
	body                []byte
}

// readRequest reads a request and skips its body. Chunked bodies it does not know.
func readRequest(in *bufio.Reader) (request, error) {
	line, err := readLine(in)
	if err != nil {
		return request{}, err
	}
	words := strings.Split(line, " ")
	if len(words) != 3 || !strings.HasPrefix(words[2], "HTTP/1.") {
		return request{}, errBadRequest
	}
	r := request{method: words[0], target: words[1], close: words[2] == "HTTP/1.0"}
	length := uint64(0)
	for {
		line, err := readLine(in)
		if err != nil {
			return request{}, err
		}
		if line == "" {
			_, err = io.CopyN(io.Discard, in, int64(length))
			return r, err
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(name) {
		case "connection":
			r.close = r.close || strings.EqualFold(value, "close")
		case "content-length":
			if length, err = strconv.ParseUint(value, 10, 63); err != nil {
				return request{}, errBadRequest
			}
		case "transfer-encoding":
			return request{}, errBadRequest
		}
	}
}

func readLine(in *bufio.Reader) (string, error) {
	line, err := in.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		err = errBadRequest
	}
	return strings.TrimRight(string(line), "\r\n"), err
}

func writeAnswer(out io.Writer, a answer, closing bool) error {
	text := fmt.Appendf(nil, "HTTP/1.1 %s\r\nDate: %s\r\n", a.status, time.Now().UTC().Format(dateFormat))
	if a.contentType != "" {
		text = fmt.Appendf(text, "Content-Type: %s\r\n", a.contentType)
	}
	if closing {
		text = fmt.Append(text, "Connection: close\r\n")
	}
	text = fmt.Appendf(text, "Content-Length: %d\r\n\r\n", len(a.body))
	_, err := out.Write(append(text, a.body...))
	return err
}
