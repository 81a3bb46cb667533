import type { Row } from "@capstan/inspect";
import { fakeClock } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { createScreen } from "../../test/screen.ts";
import { liveView } from "./live-view.ts";

const machine = (index: number, done: boolean, change: Partial<Row> = {}): Row => ({
  group: "cluster.x-k8s.io",
  kind: "Machine",
  namespace: "default",
  name: `orchid-workers-${String(index).padStart(3, "0")}`,
  state: done ? "Running" : "Provisioning",
  detail: done ? "" : "booting since 2026-03-01T00:00:00Z (step 3 of 4)",
  done,
  ...change,
});

const open = ({ columns, rows, colour = false }: { columns: number; rows: number; colour?: boolean }) => {
  const screen = createScreen(columns);
  const writes: string[] = [];
  const clock = fakeClock();
  let resized = (): void => undefined;
  const size = { columns, rows };
  const terminal = {
    write: (text: string) => {
      writes.push(text);
      screen.write(text);
    },
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    onResize: (listener: () => void) => void (resized = listener),
  };
  const view = liveView(terminal, { clock, colour });
  return { view, screen, writes, clock, size, resize: () => resized() };
};

describe("the live view", () => {
  it("draws over itself, one write for a frame, without a cursor until it ends", () => {
    const { view, screen, writes } = open({ columns: 100, rows: 40 });
    view.say({ type: "ready", text: "providers run" });
    view.rows([machine(1, false), machine(2, false)], []);
    expect(screen.isCursorShown()).toBe(false);
    view.rows([machine(1, true), machine(2, false)], []);
    view.say({ type: "applied", text: "11 objects applied" });
    expect(writes).toHaveLength(4);
    view.close();
    view.say({ type: "stopping", text: "stopping" });
    expect(screen.isCursorShown()).toBe(true);
    expect(screen.lines()).toEqual([
      "providers run",
      "11 objects applied",
      "✔ Machine/orchid-workers-001 Running",
      "… Machine/orchid-workers-002 Provisioning booting since 2026-03-01T00:00:00Z (step 3 of 4)",
      "1 of 2 Machines running, 0 s so far",
      "stopping",
    ]);
  });

  it("fits 40 columns and 24 rows, what is not done first, and says how many more there are", () => {
    const { view, screen } = open({ columns: 40, rows: 24 });
    view.rows(
      Array.from({ length: 201 }, (_, index) => machine(index, index < 180)),
      [],
    );
    const lines = screen.lines();
    expect(lines.length).toBeLessThan(24);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(40);
    expect(lines[0]).toBe("… Machine/orchid-…kers-180 Provisioning");
    expect(lines.slice(-2)).toEqual(["  181 more, 1 not ready", "180 of 201 Machines running, 0 s so far"]);
  });

  it("says how long the rest will take, and counts the time while nothing else happens", async () => {
    const { view, screen, clock } = open({ columns: 100, rows: 40 });
    for (const done of [0, 1, 2, 3, 4]) {
      view.rows(
        Array.from({ length: 8 }, (_, index) => machine(index, index < done)),
        [],
      );
      await clock.advance(10_000);
    }
    expect(screen.lines().at(-1)).toBe("4 of 8 Machines running, about 30 s left, 50 s so far");
    view.rows(
      Array.from({ length: 8 }, (_, index) => machine(index, true)),
      [],
    );
    await clock.advance(60_000);
    expect(screen.lines().at(-1)).toBe("8 of 8 Machines running, after 50 s");
    view.close();
  });

  it("names namespaces where there is more than one", () => {
    const { view, screen } = open({ columns: 100, rows: 40 });
    view.rows([machine(1, true), machine(1, true, { namespace: "team-a" })], []);
    expect(screen.lines().slice(0, 2)).toEqual([
      "✔ default Machine/orchid-workers-001 Running",
      "✔ team-a Machine/orchid-workers-001  Running",
    ]);
    view.close();
  });

  it("counts the Machines of Cluster API alone, and names the group where another has the kind too", () => {
    const { view, screen } = open({ columns: 100, rows: 40 });
    view.rows(
      [
        machine(1, true),
        machine(1, true, { group: "bmc.tinkerbell.org" }),
        machine(2, true, { kind: "LinodeMachine" }),
      ],
      [],
    );
    expect(screen.lines()).toEqual([
      "✔ Machine/orchid-workers-001                    Running",
      "✔ Machine.bmc.tinkerbell.org/orchid-workers-001 Running",
      "✔ LinodeMachine/orchid-workers-002              Running",
      "1 of 1 Machine running, after 0 s",
    ]);
    view.close();
  });

  it("counts the lines that what is said takes, and draws anew when the terminal changes", () => {
    const { view, screen, size, resize } = open({ columns: 60, rows: 24 });
    view.rows([machine(1, false)], []);
    view.say({ type: "log", text: `${"long ".repeat(30)}end` });
    size.columns = 50;
    resize();
    view.rows([machine(1, true)], []);
    expect(screen.lines().slice(-2)).toEqual([
      "✔ Machine/orchid-workers-001 Running",
      "1 of 1 Machine running, after 0 s",
    ]);
    expect(screen.lines().filter((line) => line.includes("Machine/"))).toHaveLength(1);
    view.close();
  });

  it("has colours only where they are wanted, and never what others put into a message", () => {
    for (const colour of [true, false]) {
      const { view, writes } = open({ columns: 100, rows: 24, colour });
      view.rows([machine(1, false, { detail: "\u001B[2J\u001B[31mred\nline" })], []);
      expect(writes.join("").includes("\u001B[33m…")).toBe(colour);
      expect(writes.join("")).not.toMatch(/\[2J|\[31m|red\n/);
      view.close();
    }
  });
});
