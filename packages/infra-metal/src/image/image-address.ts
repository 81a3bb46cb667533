/** What a format may name. */
export const imageVariables = ["BaseRegistry", "OSDistro", "OSVersion", "KubernetesVersion"] as const;

/** What is known of a machine's image. */
export type ImageFacts = Readonly<Record<(typeof imageVariables)[number], string>>;

const expression = /\{\{-?\s*(.*?)\s*-?\}\}/g;

const variableIn = (text: string): keyof ImageFacts | undefined => imageVariables.find((name) => text === `.${name}`);

/** The expressions of a format that no image can be looked up with. */
export const unknownVariables = (format: string): readonly string[] =>
  [...format.matchAll(expression)].flatMap(([whole, inner = ""]) => (variableIn(inner) === undefined ? [whole] : []));

/** The address of an image. Distributions are in lower case there, and versions of them without dots. */
export const imageAddress = (format: string, facts: ImageFacts): string => {
  const named: ImageFacts = {
    ...facts,
    OSDistro: facts.OSDistro.toLowerCase(),
    OSVersion: facts.OSVersion.replaceAll(".", ""),
  };
  return format.replaceAll(expression, (whole, inner: string) => {
    const name = variableIn(inner);
    return name === undefined ? whole : named[name];
  });
};
