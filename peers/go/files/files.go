// Package files serves a folder by net/http.
package files

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// Handler serves a folder. http.ServeContent answers 304 where the ETag that is set is known.
func Handler(folder string) http.Handler {
	server := http.FileServer(http.Dir(folder))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := filepath.Join(folder, filepath.FromSlash(filepath.Clean("/"+r.URL.Path)))
		info, err := os.Stat(path)
		if err != nil || info.IsDir() {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
		server.ServeHTTP(w, r)
	})
}
