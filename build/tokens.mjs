// Counts the tokens of requests to a model with the tokenizer of an open one (Llama 3): one request a line on standard
// input, one number a line on standard output. Tools and calls count as the JSON they are told as.
import { createInterface } from 'node:readline';
import tokenizer from '../frontend/node_modules/llama3-tokenizer-js/bundle/llama3-tokenizer-with-baked-data.js';

const PER_MESSAGE = 5; // what a chat template puts around each
const count = (text) => tokenizer.encode(text, { bos: false, eos: false }).length;

for await (const line of createInterface({ input: process.stdin })) {
  const { messages, tools = [] } = JSON.parse(line);
  let sum = count(JSON.stringify(tools));
  for (const { content, tool_calls } of messages) {
    sum += PER_MESSAGE + count(content ?? '') + (tool_calls ? count(JSON.stringify(tool_calls)) : 0);
  }
  console.log(sum);
}
