// A server on raw TCP: a goroutine for each connection.
package main

import (
	"bufio"
	"log"
	"net"
	"net/url"
	"os"
	"strconv"
	"sync/atomic"
	"time"
)

// delays counts the requests of /delay on all connections.
var delays atomic.Int64

func main() {
	listener, err := net.Listen("tcp", net.JoinHostPort(os.Getenv("HOST"), os.Getenv("PORT")))
	if err != nil {
		log.Fatal(err)
	}
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(conn)
	}
}

func serve(conn net.Conn) {
	defer conn.Close()
	in := bufio.NewReader(conn)
	for {
		request, err := readRequest(in)
		if err == errBadRequest {
			writeAnswer(conn, answer{status: "400 Bad Request"}, true)
		}
		if err != nil {
			return
		}
		if writeAnswer(conn, respond(request), request.close) != nil || request.close {
			return
		}
	}
}

func respond(r request) answer {
	target, err := url.ParseRequestURI(r.target)
	switch {
	case err != nil:
		return answer{status: "400 Bad Request"}
	case r.method != "GET":
		return answer{status: "405 Method Not Allowed\r\nAllow: GET"}
	case target.Path == "/":
		return answer{"200 OK", "text/plain;charset=UTF-8", []byte("Hello world")}
	case target.Path == "/delay":
		return delay(target.Query())
	}
	return answer{status: "404 Not Found"}
}

// delay answers a file; every tenth request of all waits 2 s first, unless its query says otherwise.
func delay(query url.Values) answer {
	ms, msOK := integer(query, "ms", 0, 60_000, 2000)
	every, everyOK := integer(query, "every", 1, 1_000_000, 10)
	if !msOK || !everyOK {
		return answer{status: "400 Bad Request"}
	}
	if delays.Add(1)%every == 0 {
		time.Sleep(time.Duration(ms) * time.Millisecond)
	}
	html, err := os.ReadFile(os.Getenv("HELLO_HTML"))
	if err != nil {
		return answer{status: "500 Internal Server Error"}
	}
	return answer{"200 OK", "text/html;charset=utf-8", html}
}

func integer(query url.Values, name string, low, high, fallback int64) (value int64, ok bool) {
	if !query.Has(name) {
		return fallback, true
	}
	value, err := strconv.ParseInt(query.Get(name), 10, 64)
	return value, err == nil && value >= low && value <= high
}
