package stampede.ktor

import io.ktor.http.ContentType
import io.ktor.http.HttpStatusCode
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.install
import io.ktor.server.http.content.CompressedFileType
import io.ktor.server.http.content.ETagProvider
import io.ktor.server.http.content.staticFiles
import io.ktor.server.plugins.PayloadTooLargeException
import io.ktor.server.plugins.conditionalheaders.ConditionalHeaders
import io.ktor.server.request.receiveChannel
import io.ktor.server.response.respond
import io.ktor.server.response.respondBytesWriter
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.route
import io.ktor.server.websocket.webSocket
import io.ktor.utils.io.readAvailable
import io.ktor.utils.io.readRemaining
import io.ktor.utils.io.writeStringUtf8
import java.io.File
import java.security.MessageDigest
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import kotlinx.io.readByteArray
import kotlinx.serialization.Serializable

const val LONGEST_MESSAGE = 65_536L
private const val MOST_BYTES = 1_000_000
/** The most bytes of an upload that are hashed at once. */
private const val PIECE = 65_536

@Serializable
private class Digest(val bytes: Int, val sha256: String)

fun Route.web() {
    route("/static") {
        install(ConditionalHeaders)
        staticFiles("/", File(variable("STATIC_FOLDER") ?: "public")) {
            preCompressed(CompressedFileType.BROTLI, CompressedFileType.GZIP)
            etag(ETagProvider.StrongSha256)
        }
        // To files Ktor itself answers 404
        route("{path...}") { handle { call.respond(HttpStatusCode.MethodNotAllowed) } }
    }

    post("/upload") {
        val body = call.receiveChannel()
        val hash = MessageDigest.getInstance("SHA-256")
        val buffer = ByteArray(PIECE)
        var size = 0
        while (true) {
            val read = body.readAvailable(buffer)
            if (read < 0) break
            size += read
            if (size > MOST_BYTES) throw PayloadTooLargeException(MOST_BYTES.toLong())
            hash.update(buffer, 0, read)
        }
        call.respond(Digest(size, hash.digest().toHexString()))
    }

    get("/stream") {
        val events = call.integer("events", 1..10_000, 100)
        val ms = call.integer("ms", 0..1000, 0)
        // Not Ktor's SSE, whose lines end with CRLF
        call.respondBytesWriter(ContentType.Text.EventStream) {
            for (i in 1..events) {
                if (ms > 0 && i > 1) delay(ms.milliseconds)
                writeStringUtf8("data: $i\n\n")
                flush()
            }
        }
    }

    webSocket("/echo") {
        for (frame in incoming) send(frame)
    }
}

/** A body that is read whole; a larger one is answered 413. */
suspend fun ApplicationCall.receiveAtMost(limit: Int): ByteArray {
    val bytes = receiveChannel().readRemaining(limit + 1L).readByteArray()
    if (bytes.size > limit) throw PayloadTooLargeException(limit.toLong())
    return bytes
}
