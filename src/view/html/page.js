/**
 * The page's script: it shows one scenario, filters servers, and sorts tables. The address contains this state, so
 * that a link shows the same. Without scripts, the page shows everything.
 */
{
  const all = (selector) => [...document.querySelectorAll(selector)];
  const sections = all("section[data-scenario]");
  const others = all("#overview, #history, #servers");
  const links = all("nav a");
  const boxes = all("input[name=server]");
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
    };
  };

  /** Changes a part of the state in the address. */
  const write = (change) => {
    const { only, servers, sort } = { ...read(), ...change };
    const state = new URLSearchParams();
    if (only !== null) state.set("only", only);
    if (servers !== null) state.set("servers", servers.join(","));
    if (sort !== null) state.set("sort", [sort.table, sort.column, sort.order].join(","));
    history.pushState(null, "", `#${String(state).replaceAll("%2C", ",")}`);
    show();
  };

  const show = () => {
    const { only, servers, sort } = read();
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
    const isShown = (server) => servers === null || servers.includes(server);
    for (const row of all("tr[data-server], figure[data-server]")) {
      row.hidden = !isShown(row.dataset.server);
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
    sorters.push((sort) => {
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
        write({ sort: order === undefined ? null : { table: place, column, order } });
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
    filter.addEventListener("change", () => {
      const chosen = boxes.filter((box) => box.checked).map((box) => box.value);
      write({ servers: chosen.length === boxes.length ? null : chosen });
    });
    filter.addEventListener("click", ({ target: { dataset: { servers } } }) => {
      if (servers !== undefined) write({ servers: servers === "all" ? null : servers.split(",") });
    });
  }
  addEventListener("hashchange", show);
  addEventListener("popstate", show);
  addEventListener("beforeprint", () => {
    for (const details of all("details")) details.open = true;
  });
  show();
}
