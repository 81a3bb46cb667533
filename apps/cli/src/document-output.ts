import { Option } from "commander";

/** Output format of a command that prints one document. */
export type DocumentOutput = "text" | "json" | "yaml";

/** `what`: what the document is, as in `the whole plan`. */
export const documentOutputOption = (what: string): Option =>
  new Option("-o, --output <format>", `json and yaml print ${what} as one object`)
    .choices(["text", "json", "yaml"])
    .default("text");

/** Returns the log format that goes with a document's format. */
export const logOutput = (output: DocumentOutput): "text" | "json" => (output === "yaml" ? "text" : output);

/** A document as `-o json` or `-o yaml` prints it. */
export const documentText = async (document: object, output: DocumentOutput): Promise<string> => {
  if (output !== "yaml") return `${JSON.stringify(document, undefined, 2)}\n`;
  const { stringify } = await import("yaml");
  // Undefined members are left out, as in JSON; no line of a text is folded.
  return stringify(JSON.parse(JSON.stringify(document)), { lineWidth: 0, aliasDuplicateObjects: false });
};
