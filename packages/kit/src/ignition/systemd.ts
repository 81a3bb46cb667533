const lines = (section: string, entries: readonly (readonly [string, string | undefined])[]): string =>
  [
    `[${section}]`,
    ...entries.flatMap(([key, value]) => (value === undefined || value === "" ? [] : [`${key}=${value}`])),
  ]
    .map((line) => `${line}\n`)
    .join("");

type Sections = Readonly<Record<string, Readonly<Record<string, string | undefined>>>>;

/** The text of a unit; keys without a value are left out. */
export const unitText = (sections: Sections): string =>
  Object.entries(sections)
    .map(([name, entries]) => lines(name, Object.entries(entries)))
    .join("\n");

/** A path as the name of a unit, as `systemd-escape --path` makes it. */
export const escapedPath = (path: string): string => {
  const parts = path.split("/").filter((part) => part !== "");
  if (parts.length === 0) return "-";
  return parts
    .map((part, index) => {
      const bytes = Array.from(Buffer.from(part));
      return bytes
        .map((byte, at) => {
          const character = String.fromCharCode(byte);
          const isKept = /[A-Za-z0-9:_.]/.test(character) && !(index === 0 && at === 0 && character === ".");
          return isKept ? character : `\\x${byte.toString(16).padStart(2, "0")}`;
        })
        .join("");
    })
    .join("-");
};

/** A unit that runs a script once, at the first boot. */
export const scriptUnit = (unit: {
  readonly description: string;
  /** A path, with `!` in front of it when it must not be there. */
  readonly condition: string;
  readonly after: string;
  readonly wants?: string;
  readonly command: string;
}): string =>
  unitText({
    Unit: {
      Description: unit.description,
      Wants: unit.wants,
      After: unit.after,
      ConditionPathExists: unit.condition,
    },
    Service: { Type: "oneshot", User: "root", RemainAfterExit: "yes", ExecStart: unit.command },
    Install: { WantedBy: "multi-user.target" },
  });
