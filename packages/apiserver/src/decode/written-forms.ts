import { endOfString } from "@capstan/schema/structural";

/** Names of members and indexes of items. */
export type JsonPath = readonly (string | number)[];

/** Details of a JSON text that its parsed values do not preserve. */
export interface WrittenForms {
  /** Paths of members that stand more than once, for example `spec.size`. */
  readonly duplicates: readonly string[];
  /** Paths of whole numbers that are written with a point or an exponent. */
  readonly decimals: readonly JsonPath[];
}

const pathText = (path: JsonPath): string =>
  path.reduce<string>(
    (text, step) => (typeof step === "number" ? `${text}[${step}]` : text === "" ? step : `${text}.${step}`),
    "",
  );

/** Reads valid JSON text piece by piece. */
const readerOf = (text: string) => {
  let index = 0;
  return {
    /** The next character that is neither space nor separator. */
    next: (): string | undefined => {
      while (/[\s,:]/.test(text[index] ?? "")) {
        index++;
      }
      return text[index];
    },
    skipBracket: (): void => {
      index++;
    },
    skipString: (): void => {
      index = endOfString(text, index);
    },
    readString: (): string => {
      const end = endOfString(text, index);
      const literal = text.slice(index, end);
      index = end;
      return JSON.parse(literal) as string;
    },
    readLiteral: (): string => {
      const literal = /^[^\s,\]}]+/.exec(text.slice(index, index + 400))?.[0] ?? " ";
      index += literal.length;
      return literal;
    },
  };
};

/** Walks valid JSON text. */
export const writtenForms = (text: string): WrittenForms => {
  const duplicates = new Set<string>();
  const decimals: JsonPath[] = [];
  const path: (string | number)[] = [];
  const reader = readerOf(text);
  const walkObject = (): void => {
    const seen = new Set<string>();
    for (reader.skipBracket(); reader.next() !== "}";) {
      const key = reader.readString();
      path.push(key);
      if (seen.has(key)) {
        duplicates.add(pathText(path));
      }
      seen.add(key);
      walk();
      path.pop();
    }
    reader.skipBracket();
  };
  const walkArray = (): void => {
    let position = 0;
    for (reader.skipBracket(); reader.next() !== "]";) {
      path.push(position++);
      walk();
      path.pop();
    }
    reader.skipBracket();
  };
  const walk = (): void => {
    const first = reader.next();
    if (first === "{") {
      walkObject();
    } else if (first === "[") {
      walkArray();
    } else if (first === '"') {
      reader.skipString();
    } else {
      const literal = reader.readLiteral();
      if (/^-?\d.*[.eE]/.test(literal) && Number.isInteger(Number(literal))) {
        decimals.push([...path]);
      }
    }
  };
  walk();
  return { duplicates: [...duplicates], decimals };
};

/** Few texts have such a number, or something in a string that looks like one. */
const decimal = /[:,[]\s*-?\d+(?:\.\d+)?(?:[eE][-+]?\d+|\.\d+)\s*[,\]}]/;

/** False for most texts: they hold neither a number that `writtenForms` finds, nor a string that looks like one. */
export const mayHoldDecimals = (text: string): boolean => decimal.test(text);
