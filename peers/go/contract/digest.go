package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// MostUpload is how many bytes an upload has at most.
const MostUpload = 1_000_000

// Digest is what /upload answers.
type Digest struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func DigestOf(body io.Reader) (Digest, error) {
	hash := sha256.New()
	size, err := io.Copy(hash, body)
	if err != nil {
		return Digest{}, err
	}
	return Digest{size, hex.EncodeToString(hash.Sum(nil))}, nil
}
