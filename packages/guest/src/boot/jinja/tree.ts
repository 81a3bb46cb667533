import type { JinjaAction, JinjaExpression, JinjaPiece, JinjaStep } from "@capstan/kit/bootstrap";

/** A branch of an `if`; the last one may have no condition. */
interface Branch {
  readonly condition?: JinjaExpression;
  readonly body: readonly Block[];
}

type Loop = JinjaAction & { readonly kind: "for" };

/** A template with its statements around what they are about. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "print"; readonly value: JinjaExpression }
  | { readonly kind: "if"; readonly branches: readonly Branch[] }
  | { readonly kind: "for"; readonly loop: Loop; readonly body: readonly Block[]; readonly otherwise: readonly Block[] }
  | { readonly kind: "set"; readonly names: readonly string[]; readonly value: JinjaExpression }
  | {
      readonly kind: "capture";
      readonly names: readonly string[];
      readonly filters: readonly JinjaStep[];
      readonly body: readonly Block[];
    }
  | { readonly kind: "filter"; readonly filters: readonly JinjaStep[]; readonly body: readonly Block[] }
  | {
      readonly kind: "with";
      readonly assignments: (JinjaAction & { readonly kind: "with" })["assignments"];
      readonly body: readonly Block[];
    };

interface Reader {
  readonly pieces: readonly JinjaPiece[];
  at: number;
}

/** Statements in statements. */
const deepest = 50;

/** Reads blocks up to a statement that ends or divides them, which is returned and read as well. */
const blocks = (
  reader: Reader,
  depth: number,
): { readonly body: readonly Block[]; readonly end: JinjaAction | undefined } => {
  if (depth > deepest) throw new Error("its statements are nested too deep");
  const body: Block[] = [];
  while (reader.at < reader.pieces.length) {
    const piece = reader.pieces[reader.at] as JinjaPiece;
    reader.at += 1;
    if (piece.kind === "text") body.push({ kind: "text", text: piece.text });
    else if (piece.kind === "expression") body.push({ kind: "print", value: piece.expression });
    else if (["end", "else", "elif"].includes(piece.action.kind)) return { body, end: piece.action };
    else body.push(statement(reader, depth, piece.action, piece.text));
  }
  return { body, end: undefined };
};

const conditional = (reader: Reader, depth: number, first: JinjaExpression): Block => {
  const branches: Branch[] = [];
  let condition: JinjaExpression | undefined = first;
  for (;;) {
    const { body, end } = blocks(reader, depth + 1);
    branches.push({ body, ...(condition !== undefined && { condition }) });
    if (end?.kind !== "elif" && end?.kind !== "else") return { kind: "if", branches };
    condition = end.kind === "elif" ? end.condition : undefined;
  }
};

const statement = (reader: Reader, depth: number, action: JinjaAction, text: string): Block => {
  const inside = (): readonly Block[] => blocks(reader, depth + 1).body;
  switch (action.kind) {
    case "if":
      return conditional(reader, depth, action.condition);
    case "for": {
      const { body, end } = blocks(reader, depth + 1);
      return { kind: "for", loop: action, body, otherwise: end?.kind === "else" ? inside() : [] };
    }
    case "set": {
      const { filters, names, value } = action;
      return value === undefined ? { kind: "capture", names, filters, body: inside() } : { kind: "set", names, value };
    }
    case "filter":
      return { kind: "filter", filters: action.filters, body: inside() };
    case "with":
      return { kind: "with", assignments: action.assignments, body: inside() };
    case "print":
      return { kind: "print", value: action.value };
    default:
      throw new Error(`${text.slice(0, 60)} is not modelled`);
  }
};

/** Puts the pieces of a template together. Throws for statements that are not modelled. */
export const blocksOf = (pieces: readonly JinjaPiece[]): readonly Block[] => blocks({ pieces, at: 0 }, 0).body;
