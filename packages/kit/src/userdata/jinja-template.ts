import type { JinjaAction, JinjaExpression } from "./jinja-nodes.ts";
import { unpaired } from "./jinja-parts.ts";
import { trimmedJinja } from "./trimmed-jinja.ts";

/** One piece of a template: a text to print, an expression to print, or a statement. */
export type JinjaPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "expression"; readonly expression: JinjaExpression }
  | { readonly kind: "statement"; readonly action: JinjaAction; readonly text: string };

/**
 * Reads a template for someone who renders it, with the blanks gone that Jinja removes. Statements come in pairs. `fault` is the text of
 * the first piece that Jinja cannot read; then there are no pieces.
 */
export const readJinja = (text: string): { readonly pieces: readonly JinjaPiece[] } | { readonly fault: string } => {
  const trimmed = trimmedJinja(text);
  const parts = trimmed.map(({ part }) => part);
  const alone = unpaired(parts);
  const fault = parts.find((part) => part.kind === "unreadable" || alone.has(part));
  if (fault !== undefined) return { fault: fault.text };
  return {
    pieces: trimmed.flatMap(({ part, text: printed }): readonly JinjaPiece[] => {
      if (part.kind !== "tag") return [{ kind: "text", text: printed }];
      if (part.expression !== undefined) return [{ kind: "expression", expression: part.expression }];
      if (part.statement === undefined) return [];
      return [{ kind: "statement", action: part.statement.action, text: part.text }];
    }),
  };
};
