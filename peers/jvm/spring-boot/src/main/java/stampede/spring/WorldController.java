package stampede.spring;

import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import stampede.shared.WorldTable;
import stampede.spring.WorldRepository.World;

@RestController
class WorldController {
    private final WorldRepository worlds;

    WorldController(WorldRepository worlds) {
        this.worlds = worlds;
    }

    @GetMapping(path = "/plaintext", produces = MediaType.TEXT_PLAIN_VALUE)
    String plaintext() {
        return "Hello, World!";
    }

    @GetMapping("/db")
    World db() {
        return worlds.random();
    }

    @GetMapping("/queries")
    List<World> queries(@RequestParam(defaultValue = "1") String queries) {
        return worlds.random(WorldTable.countOf(queries));
    }

    @GetMapping("/updates")
    List<World> updates(@RequestParam(defaultValue = "1") String queries) {
        return worlds.updated(WorldTable.countOf(queries));
    }

    @GetMapping("/cached")
    List<World> cached(@RequestParam(defaultValue = "1") String queries) {
        return worlds.cached(WorldTable.countOf(queries));
    }
}
