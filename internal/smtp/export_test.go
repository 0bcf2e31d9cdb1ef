package smtp

const AnswerTimeout = answerTimeout
