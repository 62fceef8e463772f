import { SessionManager } from 'coppice';

SessionManager.inMemory('/work').appendMessage('no message');
