import { type Builtin, complain } from "./builtin.ts";
import { Exit, type Session } from "./session.ts";

const numbers: Readonly<Record<string, number>> = {
  EXIT: 0,
  HUP: 1,
  INT: 2,
  QUIT: 3,
  KILL: 9,
  USR1: 10,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
};

/** A signal by its plain name, however a script writes it. */
const signalOf = (text: string): string => {
  const named = Object.entries(numbers).find(([, number]) => String(number) === text)?.[0];
  return named ?? text.toUpperCase().replace(/^SIG/, "");
};

export const trap: Builtin = ({ args, session, streams }) => {
  const [text, ...signals] = args[0] === "--" ? args.slice(1) : args;
  if (text === undefined || text === "-p") {
    for (const [signal, action] of session.traps) {
      streams.out(`trap -- '${action}' ${/^(?:EXIT|ERR|DEBUG|RETURN)$/.test(signal) ? "" : "SIG"}${signal}\n`);
    }
    return 0;
  }
  for (const signal of signals.length === 0 ? [text] : signals) {
    if (text === "-" || signals.length === 0) session.traps.delete(signalOf(signal));
    else session.traps.set(signalOf(signal), text);
  }
  return 0;
};

const isShell = (id: string, session: Session): boolean => id === "1234" || (id === "$" && session.name !== "");

/** `kill`, of the shell itself and of its background jobs. */
export const kill: Builtin = async (context) => {
  const { args, evaluate, session } = context;
  const [first = "", second = ""] = args;
  const isNamed = first === "-s" || first === "-n";
  const signal = signalOf(isNamed ? second : /^-\w/.test(first) ? first.slice(1) : "TERM");
  let status = 0;
  for (const id of args.slice(isNamed ? 2 : /^-\w/.test(first) ? 1 : 0)) {
    const job = session.jobs.find((each, index) => String(each.id) === id || id === `%${index + 1}`);
    if (isShell(id, session)) {
      const action = session.traps.get(signal);
      if (signal === "0" || first === "-0") continue;
      if (action === undefined) throw new Exit(128 + (numbers[signal] ?? 15));
      await evaluate(action);
    } else if (job === undefined || job.isOver) status = complain(context, `kill: (${id}) - No such process`);
    else if (first !== "-0") job.stop.abort();
  }
  return status;
};

/** Resolves when the background jobs have ended, or those that are named. */
export const wait: Builtin = async (context) => {
  const { args, session } = context;
  const ids = args.filter((word) => !word.startsWith("-"));
  let status = 0;
  for (const job of ids.length === 0 ? session.jobs : []) await job.ended;
  for (const id of ids) {
    const job = session.jobs.find((each, index) => String(each.id) === id || id === `%${index + 1}`);
    status =
      job === undefined ? complain(context, `wait: pid ${id} is not a child of this shell`, 127) : await job.ended;
  }
  return status;
};

export const jobs: Builtin = ({ session, streams }) => {
  for (const [index, job] of session.jobs.entries()) if (!job.isOver) streams.out(`[${index + 1}]   Running\n`);
  return 0;
};
