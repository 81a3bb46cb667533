const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Markup that is already escaped. */
export interface Markup {
  readonly markup: string;
}

/** An element with text, which is escaped, or with other elements. */
export const element = (name: string, content: string | readonly Markup[]): Markup => {
  const inner =
    typeof content === "string"
      ? content.replaceAll(/[&<>"]/g, (sign) => entities[sign]!)
      : content.map(({ markup }) => markup).join("");
  return { markup: `<${name}>${inner}</${name}>` };
};

/** A whole document. */
export const xml = (root: string, content: readonly Markup[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, content).markup}`;
