/** An option of a plugin, on a line of its own. */
export interface CorefileOption {
  readonly name: string;
  readonly args: readonly string[];
}

export interface CorefilePlugin extends CorefileOption {
  readonly options: readonly CorefileOption[];
}

/** A server block: its zones and ports, and its plugins. */
export interface CorefileServer {
  readonly keys: readonly string[];
  readonly plugins: readonly CorefilePlugin[];
}

interface Token {
  readonly text: string;
  readonly line: number;
  readonly quoted: boolean;
}

const tokenPattern = /\n|[^\S\n]+|#[^\n]*|"((?:\\"|[^"])*)"|[^\s]+/g;

const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = [];
  let line = 1;
  for (const [found, quoted] of text.matchAll(tokenPattern)) {
    if (quoted !== undefined) tokens.push({ text: quoted.replaceAll('\\"', '"'), line, quoted: true });
    else if (found.trim() !== "" && !found.startsWith("#")) tokens.push({ text: found, line, quoted: false });
    line += found.split("\n").length - 1;
  }
  return tokens;
};

/** A Corefile that cannot be read, with the reason. */
export interface UnreadableCorefile {
  readonly problem: string;
}

/** Reads tokens one after another. */
class Reader {
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  get peek(): Token | undefined {
    return this.#tokens[this.#next];
  }

  take(): Token | undefined {
    const token = this.peek;
    this.#next += 1;
    return token;
  }

  is(brace: "{" | "}"): boolean {
    return this.peek?.quoted === false && this.peek.text === brace;
  }

  /** Takes the rest of a line, up to a brace. */
  rest(line: number): readonly string[] {
    const texts: string[] = [];
    while (this.peek?.line === line && !this.is("{") && !this.is("}")) texts.push(this.take()?.text ?? "");
    return texts;
  }
}

const optionsIn = (reader: Reader): readonly CorefileOption[] | UnreadableCorefile => {
  const options: CorefileOption[] = [];
  while (!reader.is("}")) {
    const token = reader.take();
    if (token === undefined) return { problem: "a plugin has no closing brace" };
    const args = reader.rest(token.line);
    if (reader.is("{")) return { problem: `line ${token.line} nests deeper than options of plugins` };
    options.push({ name: token.text, args });
  }
  reader.take();
  return options;
};

const pluginsIn = (reader: Reader): readonly CorefilePlugin[] | UnreadableCorefile => {
  const plugins: CorefilePlugin[] = [];
  while (!reader.is("}")) {
    const token = reader.take();
    if (token === undefined) return { problem: "a server block has no closing brace" };
    const args = reader.rest(token.line);
    if (!reader.is("{")) {
      plugins.push({ name: token.text, args, options: [] });
      continue;
    }
    reader.take();
    const options = optionsIn(reader);
    if ("problem" in options) return options;
    plugins.push({ name: token.text, args, options });
  }
  reader.take();
  return plugins;
};

/** Returns the server blocks of a Corefile, without comments. */
export const parseCorefile = (text: string): readonly CorefileServer[] | UnreadableCorefile => {
  const reader = new Reader(tokensOf(text));
  const servers: CorefileServer[] = [];
  while (reader.peek !== undefined) {
    const keys: string[] = [];
    while (reader.peek !== undefined && !reader.is("{")) keys.push(reader.take()?.text ?? "");
    if (reader.peek === undefined) return { problem: `the server block ${keys.join(" ")} has no braces` };
    reader.take();
    const plugins = pluginsIn(reader);
    if ("problem" in plugins) return plugins;
    servers.push({ keys, plugins });
  }
  return servers;
};

const written = (text: string): string =>
  text === "" || /[\s"]|^#|^[{}]$/.test(text) ? `"${text.replaceAll('"', '\\"')}"` : text;

const lineOf = ({ name, args }: CorefileOption): string => [name, ...args].map(written).join(" ");

const pluginText = ({ options, ...plugin }: CorefilePlugin): string =>
  options.length === 0
    ? `    ${lineOf(plugin)}`
    : [`    ${lineOf(plugin)} {`, ...options.map((option) => `        ${lineOf(option)}`), "    }"].join("\n");

/** Returns the text of server blocks, indented by four spaces. */
export const corefileText = (servers: readonly CorefileServer[]): string =>
  servers
    .map(({ keys, plugins }) => `${[`${keys.map(written).join(" ")} {`, ...plugins.map(pluginText), "}"].join("\n")}\n`)
    .join("\n");
