/** A worker whose module fails while it loads. */
throw new Error("no such thing");
