// The token is in the link, after the #. It stays with this tab: two people can use two tabs of one browser.
const token = location.hash.slice(1) || sessionStorage.getItem('token');
sessionStorage.setItem('token', token);
history.replaceState(null, '', location.pathname);
const headers = { Authorization: 'Bearer ' + token };
const $ = (id) => document.getElementById(id);

// element makes one with a text, never with markup: what people and models write is shown as it is.
function element(tag, text, ...children) {
  const e = document.createElement(tag);
  e.textContent = text;
  e.append(...children);
  return e;
}
const button = (text, onclick) => Object.assign(element('button', text), { onclick });
const note = (text) => $('news').prepend(element('li', text));

async function call(method, body) {
  const response = await fetch('/' + method, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = response.ok ? await response.json() : { error: { message: await response.text() } };
  if (answer.error) note(answer.error.message);
  return answer;
}

async function list() {
  const { data } = await call('invoke', { capability: 'tool.list' });
  const act = (name, toolId) => () => call('invoke', { capability: name, arguments: { toolId } });
  $('tools').replaceChildren(...(data?.tools ?? []).map((t) => element('li', t.name + ' ', t.lentTo
    ? element('span', `lent to ${t.lentTo} `, button('Return', act('tool.return', t.id)))
    : button('Borrow', act('tool.borrow', t.id)))));
}

const on = {
  bus(e) {
    if (e.type === 'stateChange') note(e.summary);
    if (e.type === 'stateChange' || e.type === 'missed') list();
  },
  chat(u) {
    if (u.type === 'turn_started' && u.text) $('chat').append(element('p', 'You: ' + u.text));
    if (u.type === 'message') $('chat').append(element('p', u.text));
    if (u.type === 'turn_ended' && u.error) note(u.error);
  },
  approval({ type, card }) {
    document.getElementById(card.approval_id)?.remove();
    if (type === 'opened') ask(card);
  },
};

function ask(card) {
  const decide = (answer) => () => call('decide', { approval_id: card.approval_id, answer });
  const shown = element('p', card.sentence + '? ', button('Allow', decide('allow')), button('Deny', decide('deny')));
  shown.id = card.approval_id;
  $('cards').append(shown);
}

// listen reads the event stream until it ends. EventSource could not send the token in a header.
async function listen() {
  const response = await fetch('/events', { headers });
  if (!response.ok) throw await response.text();
  list();
  const { cards = [] } = await call('cards', { cards: true });
  $('cards').replaceChildren();
  cards.forEach(ask);
  let rest = '';
  const stream = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await stream.read();
    if (done) return;
    const events = (rest + value).split('\n\n');
    rest = events.pop();
    for (const event of events) {
      const [, name, data] = event.match(/^event: (.*)\ndata: (.*)/);
      on[name](JSON.parse(data));
    }
  }
}

let conversation; // the first sentence begins one
$('say').onsubmit = async (e) => {
  e.preventDefault();
  const said = call('say', { text: e.target.text.value, conversation_id: conversation });
  e.target.reset();
  conversation = (await said).conversation_id ?? conversation;
};

(function again() {
  listen().catch(note).then(() => setTimeout(again, 2000));
})();
