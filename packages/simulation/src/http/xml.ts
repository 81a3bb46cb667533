const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign]!);

/** Markup that is already escaped. */
export interface Markup {
  readonly markup: string;
}

type Attributes = Readonly<Record<string, string>>;

/** An element with text, which is escaped, or with other elements. */
export const element = (name: string, content: string | readonly Markup[], attributes: Attributes = {}): Markup => {
  const inner = typeof content === "string" ? escaped(content) : content.map(({ markup }) => markup).join("");
  const said = Object.entries(attributes).map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`);
  return { markup: `<${name}${said.join("")}>${inner}</${name}>` };
};

/** A whole document. */
export const xml = (root: string, content: readonly Markup[], attributes?: Attributes): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content, attributes).markup}`;
