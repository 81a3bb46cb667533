/** A line of a machine's log. */
export interface SyslogMessage {
  /** From `emergency` to `debug`. */
  readonly severity: string;
  readonly facility: number;
  /** The program that wrote it, where it says so. */
  readonly program?: string;
  readonly text: string;
}

const severities = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"];
/** Longer lines are cut off. */
const longestText = 2048;

/** The time and host that RFC 3164 has before a message; iPXE and small systems leave one or both out. */
const oldHead = /^(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d )?(?:([\w.:-]+) )?([\w./()-]+)(?:\[\d+\])?: /;
/** Version, time, host, program, process and id of RFC 5424, then structured data. */
const newHead = /^1 \S+ \S+ (\S+) \S+ \S+ (?:-|(?:\[[^\]]*\])+) ?/;

const cleaned = (text: string): string =>
  text
    .replace(/^\uFEFF/, "")
    .slice(0, longestText)
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim();

/** Returns what a datagram of syslog says (RFC 3164 or 5424); `undefined` without a priority or a text. */
export const readSyslog = (bytes: Buffer): SyslogMessage | undefined => {
  const whole = /^<(\d{1,3})>([\s\S]*)$/.exec(bytes.subarray(0, 2 * longestText).toString("utf8"));
  const priority = Number(whole?.[1] ?? Number.NaN);
  if (whole === null || priority > 191) return undefined;
  const rest = whole[2]!;
  const recent = newHead.exec(rest);
  const older = recent === null ? oldHead.exec(rest) : null;
  const program = recent?.[1] ?? older?.[2];
  const text = cleaned(rest.slice((recent ?? older)?.[0].length ?? 0));
  if (text === "") return undefined;
  return {
    severity: severities[priority & 7]!,
    facility: priority >> 3,
    ...(program !== undefined && program !== "-" && { program: cleaned(program) }),
    text,
  };
};
