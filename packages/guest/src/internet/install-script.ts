/** First line of what the model writes for an install script that it knows. */
const marker = "#!/bin/sh\n# install script of";

/** The stand-in of the script at a distribution's address. */
export const distributionScript = (name: "k3s" | "rke2"): string => `${marker} ${name}\n`;

/** Whose install script a text is; `undefined`: of none. */
export const distributionOfScript = (text: string): "k3s" | "rke2" | undefined =>
  (["k3s", "rke2"] as const).find((name) => text === distributionScript(name));
