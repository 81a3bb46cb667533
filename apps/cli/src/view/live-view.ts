import type { Row } from "@capstan/inspect";
import type { Clock } from "@capstan/contract";
import { MachineResource } from "@capstan/contract/wire";
import { createLogUpdate } from "log-update";
import { frameOf } from "./frame.ts";
import { createPace, paceText } from "./pace.ts";
import type { View } from "./view.ts";

/** A terminal. */
export interface Terminal {
  write(text: string): void;
  readonly columns: number;
  readonly rows: number;
  /** Calls the listener when its size has changed. */
  onResize(listener: () => void): void;
}

const escape = {
  hideCursor: "\u001B[?25l",
  showCursor: "\u001B[?25h",
  /** Terminals that know it show everything in between at once. */
  begin: "\u001B[?2026h",
  end: "\u001B[?2026l",
} as const;

const tickMs = 1000;

/** Other groups have Machines too, such as those of board management. */
const isMachine = ({ group, kind }: Row): boolean => group === MachineResource.group && kind === MachineResource.kind;

/** Collects what belongs to one frame, so that it is one write. */
const collecting = (terminal: Terminal) => {
  let text = "";
  return {
    stream: {
      write: (part: string) => {
        text += part;
        return true;
      },
      get columns() {
        return terminal.columns;
      },
      get rows() {
        return terminal.rows;
      },
      isTTY: false,
    },
    flush: (cursor: string) => {
      if (text !== "") terminal.write(`${escape.begin}${cursor}${text}${escape.end}`);
      text = "";
    },
  };
};

/** A table that is drawn over itself, with the lines that stay above it. */
export const liveView = (
  terminal: Terminal,
  { clock, colour }: { readonly clock: Pick<Clock, "now" | "schedule">; readonly colour: boolean },
): View => {
  const { stream, flush } = collecting(terminal);
  const update = createLogUpdate(stream as unknown as NodeJS.WriteStream, { showCursor: true });
  const pace = createPace(clock.now());
  let last: readonly Row[] = [];
  let cancel: (() => void) | undefined;
  let open = true;

  const draw = (said = ""): void => {
    if (!open) return terminal.write(said);
    const machines = last.filter(isMachine);
    const running = machines.filter(({ done }) => done).length;
    const now = pace(running, machines.length, clock.now());
    const lines = frameOf(last, {
      columns: terminal.columns,
      height: terminal.rows,
      colour,
      summary: machines.length === 0 ? "" : paceText(now),
    });
    if (said !== "") {
      update.clear();
      stream.write(said);
    }
    if (lines.length > 0) update(lines.join("\n"));
    else update.clear();
    flush(escape.hideCursor);
    cancel?.();
    // Only what is under way has a clock that goes.
    cancel = running < machines.length ? clock.schedule(tickMs, draw) : undefined;
  };
  terminal.onResize(draw);
  return {
    say: ({ text }) => draw(`${text}\n`),
    rows: (rows) => {
      last = rows;
      draw();
    },
    close: () => {
      if (!open) return;
      open = false;
      cancel?.();
      update.done();
      terminal.write(escape.showCursor);
    },
  };
};
