package stampede.ktor

import io.ktor.server.html.respondHtml
import io.ktor.server.routing.Route
import io.ktor.server.routing.get
import java.sql.ResultSet
import kotlinx.html.HTML
import kotlinx.html.body
import kotlinx.html.head
import kotlinx.html.table
import kotlinx.html.td
import kotlinx.html.th
import kotlinx.html.title
import kotlinx.html.tr

private class Fortune(val id: Int, val message: String)

fun Route.fortunes(database: Database) {
    get("/fortunes") {
        val rows = database.use { it.query("SELECT id, message FROM fortune", read = ::fortuneOf) }
        val fortunes = rows + Fortune(0, "Brewed for this very request.")
        call.respondHtml { page(fortunes.sortedBy { it.message }) }
    }
}

private fun HTML.page(fortunes: List<Fortune>) {
    head { title("Fortunes") }
    body {
        table {
            tr {
                th { +"id" }
                th { +"message" }
            }
            for (fortune in fortunes) {
                tr {
                    td { +fortune.id.toString() }
                    td { +fortune.message }
                }
            }
        }
    }
}

private fun fortuneOf(row: ResultSet) = Fortune(row.getInt("id"), row.getString("message"))
