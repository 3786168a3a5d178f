package stampede.spring;

import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.BinaryMessage;
import org.springframework.web.socket.TextMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.handler.AbstractWebSocketHandler;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

@Configuration
@EnableWebSocket
class EchoConfiguration implements WebSocketConfigurer {
    private static final int LONGEST = 65_536;

    private static final class Echo extends AbstractWebSocketHandler {
        @Override
        protected void handleTextMessage(WebSocketSession session, TextMessage message)
                throws IOException {
            session.sendMessage(message);
        }

        @Override
        protected void handleBinaryMessage(WebSocketSession session, BinaryMessage message)
                throws IOException {
            session.sendMessage(message);
        }
    }

    @Override
    public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
        registry.addHandler(new Echo(), "/echo");
    }

    /** Tomcat's own limit is 8 KiB. */
    @Bean
    ServletServerContainerFactoryBean webSocketContainer() {
        var container = new ServletServerContainerFactoryBean();
        container.setMaxTextMessageBufferSize(LONGEST);
        container.setMaxBinaryMessageBufferSize(LONGEST);
        return container;
    }
}
