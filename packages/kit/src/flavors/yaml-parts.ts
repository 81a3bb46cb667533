/** Text with every line that is not empty moved to the right, as a part of YAML below others. */
export const indented = (text: string, by: number): string => text.replaceAll(/^(?=.)/gm, " ".repeat(by));

/** One document of a flavor: `spec` is YAML that begins at the left. */
export const manifest = (
  head: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
  },
  spec: string,
): string => {
  const labels = Object.entries(head.labels ?? {}).map(([key, value]) => `    ${key}: ${value}\n`);
  return `apiVersion: ${head.apiVersion}
kind: ${head.kind}
metadata:
  name: ${head.name}
${labels.length === 0 ? "" : `  labels:\n${labels.join("")}`}spec:
${indented(spec, 2)}`;
};

/** The spec of a template: what is made from it has this one. */
export const templateSpec = (spec: string): string => `template:\n  spec:\n${indented(spec, 4)}`;

/** Comments at the top of a flavor. */
export const flavorHead = ({ costs, needs }: { readonly needs: string; readonly costs: string }): string =>
  `# Needs: ${needs}\n# Costs: ${costs}\n`;

/** One file of manifests. */
export const manifests = (documents: readonly string[]): string => documents.join("---\n");
