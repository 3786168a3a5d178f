/**
 * The page's script: it shows one scenario, filters servers, and sorts tables. The address contains this state, so
 * that a link shows the same. Without scripts, the page shows everything.
 */
{
  /** @type {NodeListOf<HTMLElement>} */
  const sections = document.querySelectorAll("section[data-scenario]");
  /** @type {NodeListOf<HTMLElement>} */
  const others = document.querySelectorAll("#overview, #history, #servers");
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("nav a");
  /** The link that shows everything. */
  const everything = document.createElement("a");
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = document.querySelectorAll("input[name=server]");
  /** @type {HTMLElement | null} */
  const filter = document.querySelector(".filter");

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

  /** @typedef {{table: number, column: number, order: string}} Sort */

  /** @param {{only: string | null, servers: string[] | null, sort: Sort | null}} state */
  const write = ({ only, servers, sort }) => {
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
    const isKnown = [...sections].some((section) => section.dataset.scenario === only);
    for (const section of sections) {
      const isOther = isKnown && section.dataset.scenario !== only;
      section.hidden = isOther || servers?.join("") === "";
    }
    for (const other of others) other.hidden = isKnown;
    for (const link of links) {
      mark(link, isKnown && link.textContent === only);
    }
    mark(everything, !isKnown);
    for (const box of boxes) box.checked = servers === null || servers.includes(box.value);
    const isShown = (/** @type {string | undefined} */ server) =>
      server === undefined || servers === null || servers.includes(server);
    for (const row of document.querySelectorAll("tr[data-server], figure[data-server]")) {
      if (row instanceof HTMLElement) row.hidden = !isShown(row.dataset.server);
    }
    for (const svg of document.querySelectorAll("svg")) close(svg, isShown);
  };

  /**
   * @param {HTMLAnchorElement} link
   * @param {boolean} isCurrent
   */
  const mark = (link, isCurrent) => {
    if (isCurrent) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  };

  /**
   * Hides servers in a chart, and moves the rows below them up, if it has rows.
   *
   * @param {SVGSVGElement} svg
   * @param {(server: string | undefined) => boolean} isShown
   */
  const close = (svg, isShown) => {
    const rowHeight = Number(svg.dataset.rowHeight ?? 0);
    let hidden = 0;
    /** @type {NodeListOf<SVGGElement>} */
    const groups = svg.querySelectorAll("g[data-server]");
    for (const group of groups) {
      const isVisible = isShown(group.dataset.server);
      group.style.display = isVisible ? "" : "none";
      group.style.transform = hidden > 0 ? `translateY(${-hidden * rowHeight}px)` : "";
      if (!isVisible) hidden++;
    }
    if (rowHeight === 0) return;
    const { width, height } = svg.viewBox.baseVal;
    svg.dataset.height ??= String(height);
    const left = Number(svg.dataset.height) - hidden * rowHeight;
    svg.setAttribute("viewBox", `0 0 ${width} ${left}`);
    for (const axis of svg.querySelectorAll("g[data-axis]")) {
      if (!(axis instanceof SVGGElement)) continue;
      axis.style.transform = hidden > 0 ? `translateY(${-hidden * rowHeight}px)` : "";
    }
  };

  /**
   * Functions that sort a table; null restores its first order.
   *
   * @type {((sort: Sort | null) => void)[]}
   */
  const sorters = [];

  /**
   * Makes the headings of a table sort it: a first click ascending, a second one descending, a third one resets.
   *
   * @param {HTMLTableElement} table
   */
  const makeSortable = (table) => {
    const body = table.tBodies[0];
    if (body === undefined) return;
    const rows = [...body.rows];
    const headings = [...table.querySelectorAll("th[scope=col]")];
    const place = sorters.length;
    sorters.push((sort) => {
      for (const [column, heading] of headings.entries()) {
        if (sort?.column === column) heading.setAttribute("aria-sort", sort.order);
        else heading.removeAttribute("aria-sort");
      }
      const sign = sort?.order === "descending" ? -1 : 1;
      const order = (/** @type {HTMLTableRowElement} */ a, /** @type {HTMLTableRowElement} */ b) =>
        sort === null ? 0 : sign * compare(a, b, sort.column, sign);
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
        const order = orders[orders.indexOf(heading.getAttribute("aria-sort") ?? "") + 1] ?? null;
        write({ ...read(), sort: order === null ? null : { table: place, column, order } });
      });
    }
  };

  /**
   * Compares two rows by a column; a row without a value comes last.
   *
   * @param {HTMLTableRowElement} a
   * @param {HTMLTableRowElement} b
   * @param {number} column
   * @param {number} sign
   */
  const compare = (a, b, column, sign) => {
    const x = a.cells[column];
    const y = b.cells[column];
    const m = Number(x?.dataset.value ?? NaN);
    const n = Number(y?.dataset.value ?? NaN);
    if (!Number.isNaN(m) && !Number.isNaN(n)) return m - n;
    if (Number.isNaN(m) !== Number.isNaN(n)) return sign * (Number.isNaN(m) ? 1 : -1);
    const s = x?.textContent ?? "";
    const t = y?.textContent ?? "";
    if ((s === "") !== (t === "")) return sign * (s === "" ? 1 : -1);
    return s.localeCompare(t);
  };

  for (const table of document.querySelectorAll("table[data-sorts]")) {
    if (table instanceof HTMLTableElement) makeSortable(table);
  }
  everything.textContent = "everything";
  everything.href = "#";
  const item = document.createElement("li");
  item.append(everything);
  document.querySelector("nav ul")?.prepend(item);
  document.querySelector("nav")?.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link === null) return;
    event.preventDefault();
    write({ ...read(), only: link === everything ? null : link.textContent });
  });
  if (filter !== null) {
    filter.hidden = false;
    filter.addEventListener("change", () => {
      const chosen = [...boxes].filter((box) => box.checked).map((box) => box.value);
      write({ ...read(), servers: chosen.length === boxes.length ? null : chosen });
    });
    filter.addEventListener("click", ({ target }) => {
      if (!(target instanceof HTMLElement) || target.dataset.servers === undefined) return;
      const { servers } = target.dataset;
      write({ ...read(), servers: servers === "all" ? null : servers.split(",") });
    });
  }
  addEventListener("hashchange", show);
  addEventListener("popstate", show);
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  show();
}
