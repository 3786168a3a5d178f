/**
 * The script of all pages: it shows one scenario, filters servers, and sorts tables. The address contains this
 * state, so that a link shows the same. Without scripts, a page shows everything.
 */
{
  const all = (selector) => [...document.querySelectorAll(selector)];
  const sections = all("section[data-scenario]");
  const others = all("#overview, #history, #servers");
  const links = all("nav a");
  const boxes = all("input[name=server]");
  /** Choices of a scenario (`only`), or of the servers with a language, runtime or approach. */
  const selects = all(".filter select");
  const filter = document.querySelector(".filter");
  /** The link that shows everything. */
  const everything = document.createElement("a");
  /** Functions that sort a table; null restores its first order. */
  const sorters = [];

  /** Returns the state in the address: the only scenario and the servers to show (null for all), and the order. */
  const read = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    const [table, column, order] = state.get("sort")?.split(",") ?? [];
    return {
      only: state.get("only"),
      servers: state.get("servers")?.split(",") ?? null,
      sort: order === undefined ? null : { table: Number(table), column: Number(column), order },
      chosen: Object.fromEntries(selects.map(({ name }) => [name, state.get(name)])),
    };
  };

  /** Changes parts of the state in the address; null removes a part. */
  const write = (change) => {
    const state = new URLSearchParams(location.hash.slice(1));
    for (const [name, value] of Object.entries(change)) {
      if (value === null) state.delete(name);
      else state.set(name, value);
    }
    history.pushState(null, "", `#${String(state).replaceAll("%2C", ",")}`);
    show();
  };

  const show = () => {
    const { only, servers, sort, chosen } = read();
    for (const select of selects) {
      select.value = chosen[select.name] ?? select.dataset.first;
      if (select.selectedIndex < 0) select.value = select.dataset.first;
    }
    for (const [table, order] of sorters.entries()) order(sort?.table === table ? sort : null);
    const isKnown = sections.some((section) => section.dataset.scenario === only);
    for (const section of sections) {
      const isOther = isKnown && section.dataset.scenario !== only;
      section.hidden = isOther || servers?.join("") === "";
    }
    for (const other of others) other.hidden = isKnown;
    for (const link of [everything, ...links]) {
      const isCurrent = link === everything ? !isKnown : isKnown && link.textContent === only;
      link.ariaCurrent = isCurrent ? "true" : null;
    }
    for (const box of boxes) box.checked = servers === null || servers.includes(box.value);
    const lists = selects.map(({ selectedOptions: [option] }) =>
      option.dataset.servers?.split(",")
    );
    const isShown = (server) =>
      (servers === null || servers.includes(server)) &&
      lists.every((list) => list === undefined || list.includes(server));
    const scenario = selects.find(({ name }) => name === "only")?.value ?? "all";
    for (const row of all("tr[data-server], figure[data-server]")) {
      const { server, scenario: own = scenario } = row.dataset;
      row.hidden = !isShown(server) || ![own, "all"].includes(scenario);
    }
    for (const table of all("table:has(tr[data-scenario])")) {
      table.classList.toggle("one", scenario !== "all");
    }
    const rows = all("tr[data-scenario]");
    const count = document.querySelector(".filter output");
    if (count !== null) {
      count.textContent = `${
        rows.filter(({ hidden }) => !hidden).length
      } of ${rows.length} results`;
    }
    for (const svg of all("svg")) close(svg, isShown);
  };

  /** Hides servers in a chart, and moves the rows below them up, if it has rows. */
  const close = (svg, isShown) => {
    const rowHeight = Number(svg.dataset.rowHeight ?? 0);
    let hidden = 0;
    const moveUp = (group) => {
      group.style.transform = hidden > 0 ? `translateY(${-hidden * rowHeight}px)` : "";
    };
    for (const group of svg.querySelectorAll("g[data-server]")) {
      const isVisible = isShown(group.dataset.server);
      group.style.display = isVisible ? "" : "none";
      moveUp(group);
      if (!isVisible) hidden++;
    }
    if (rowHeight === 0) return;
    const { width, height } = svg.viewBox.baseVal;
    svg.dataset.height ??= String(height);
    const left = Number(svg.dataset.height) - hidden * rowHeight;
    svg.setAttribute("viewBox", `0 0 ${width} ${left}`);
    for (const axis of svg.querySelectorAll("g[data-axis]")) moveUp(axis);
  };

  /** Makes the headings of a table sort it: a first click ascending, a second one descending, a third one resets. */
  const makeSortable = (table, place) => {
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const headings = [...table.querySelectorAll("th[scope=col]")];
    let current = "";
    sorters.push((sort) => {
      const wanted = sort === null ? "" : `${sort.column} ${sort.order}`;
      if (wanted === current) return;
      current = wanted;
      for (const [column, heading] of headings.entries()) {
        heading.ariaSort = sort?.column === column ? sort.order : null;
      }
      const sign = sort?.order === "descending" ? -1 : 1;
      const order = (a, b) =>
        sort === null ? 0 : sign * compare(a.cells[sort.column], b.cells[sort.column], sign);
      body.append(...rows.toSorted(order));
    });
    for (const [column, heading] of headings.entries()) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      heading.replaceChildren(button);
      button.addEventListener("click", () => {
        const isNumber = heading.classList.contains("n");
        const orders = isNumber ? ["descending", "ascending"] : ["ascending", "descending"];
        const order = orders[orders.indexOf(heading.ariaSort) + 1];
        write({ sort: order === undefined ? null : [place, column, order].join(",") });
      });
    }
  };

  /** Compares two cells; one without a value, or a missing one, comes last, whatever the `sign`. */
  const compare = (a, b, sign) => {
    const [m, n] = [a, b].map((cell) => Number(cell?.dataset.value ?? NaN));
    if (!Number.isNaN(m) && !Number.isNaN(n)) return m - n;
    if (Number.isNaN(m) !== Number.isNaN(n)) return sign * (Number.isNaN(m) ? 1 : -1);
    const [s, t] = [a, b].map((cell) => cell?.textContent ?? "");
    if ((s === "") !== (t === "")) return sign * (s === "" ? 1 : -1);
    return s.localeCompare(t);
  };

  for (const [place, table] of all("table[data-sorts]").entries()) makeSortable(table, place);
  everything.textContent = "everything";
  everything.href = "#";
  const item = document.createElement("li");
  item.append(everything);
  document.querySelector("nav ul")?.prepend(item);
  document.querySelector("nav")?.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link === null) return;
    event.preventDefault();
    write({ only: link === everything ? null : link.textContent });
  });
  if (filter !== null) {
    filter.hidden = false;
    filter.addEventListener("change", ({ target }) => {
      if (selects.includes(target)) {
        write({ [target.name]: target.value === target.dataset.first ? null : target.value });
        return;
      }
      const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
      write({ servers: chosen.length === boxes.length ? null : chosen.join(",") });
    });
    filter.addEventListener("click", ({ target }) => {
      const { servers } = target.dataset;
      if (servers === undefined || target.tagName !== "BUTTON") return;
      const others = Object.fromEntries(selects.map(({ name }) => [name, null]));
      write({ ...others, servers: servers === "all" ? null : servers });
    });
  }
  addEventListener("hashchange", show);
  addEventListener("popstate", show);
  addEventListener("beforeprint", () => {
    for (const details of all("details")) details.open = true;
  });
  show();
}
