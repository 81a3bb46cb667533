import { checkJinjaSize } from "./jinja-limits.ts";
import { withClosedJinja } from "./jinja.ts";
import { yamlText } from "./yaml-text.ts";

export interface CloudConfigOptions {
  /** Let cloud-init render the document as a Jinja template before it reads it. What Jinja cannot read is printed as it is written. */
  readonly jinja?: boolean;
  /** Top-level keys in the order they are written; those without entries are left out. Keys inside keep their order. */
  readonly sections: Readonly<Record<string, unknown>>;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "object" && Object.keys(value).length === 0);

/**
 * A cloud-config document: the header lines, an empty line, then one section after another. Throws `kit.jinja_too_long` for more Jinja than
 * is read within a moment.
 */
export const cloudConfig = (options: CloudConfigOptions): string => {
  const header = `${options.jinja === true ? "## template: jinja\n" : ""}#cloud-config\n\n`;
  const { jinja = false } = options;
  if (jinja) checkJinjaSize(options.sections);
  const sections = Object.entries(options.sections).filter(([, value]) => !isEmpty(value));
  const texts = (value: unknown): unknown => (jinja ? withClosedJinja(value) : value);
  return (
    header + sections.map(([name, value]) => yamlText({ [name]: texts(value) }, { sortKeys: false, jinja })).join("")
  );
};
