package stampede.spring;

import java.util.ArrayList;
import java.util.Comparator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

@Controller
class FortuneController {
    private final JdbcClient jdbc;

    FortuneController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/fortunes")
    String fortunes(Model model) {
        var rows = jdbc.sql("SELECT id, message FROM fortune").query(Fortune.class).list();
        var fortunes = new ArrayList<>(rows);
        fortunes.add(new Fortune(0, "Brewed for this very request."));
        fortunes.sort(Comparator.comparing(Fortune::message));
        model.addAttribute("fortunes", fortunes);
        return "fortunes";
    }
}
